"""A real mail server on a free port, of the loopback if nothing else is said. Writes its port, then each message it takes, as lines of JSON.

Ends when its standard input does. Usage: smtp_server.py [CERTIFICATE KEY] [--refuse] [--password PASSWORD]
[--listen ADDRESS]
"""

import argparse
import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

arguments = argparse.ArgumentParser()
arguments.add_argument("certificate", nargs="*")
arguments.add_argument("--refuse", action="store_true")
arguments.add_argument("--password")
arguments.add_argument("--listen", default="127.0.0.1")
options = arguments.parse_args()


def tell(**words):
    print(json.dumps(words), flush=True)


class Handler:
    async def handle_RCPT(self, server, talk, envelope, address, rcpt_options):
        if options.refuse:
            tell(refused=address)
            return f"550 5.1.1 <{address}>: nobody of that name"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, talk, envelope):
        content = envelope.original_content.decode("utf-8")
        encrypted = talk.ssl is not None
        tell(to=envelope.rcpt_tos, sender=envelope.mail_from, content=content, encrypted=encrypted,
             signed_in=bool(talk.authenticated))
        return "250 OK"


def authenticate(server, talk, envelope, mechanism, login):
    right = login.login == b"ann@example.com" and login.password == options.password.encode()
    return AuthResult(success=right)


def connection():
    settings = {"hostname": "mail.test"}
    if options.certificate:
        settings["tls_context"] = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        settings["tls_context"].load_cert_chain(*options.certificate)
        settings["require_starttls"] = True
    if options.password:
        settings |= {"authenticator": authenticate, "auth_required": True}
        settings["auth_require_tls"] = bool(options.certificate)
    return SMTP(Handler(), **settings)


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(connection, options.listen, 0)
    tell(port=server.sockets[0].getsockname()[1])
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
