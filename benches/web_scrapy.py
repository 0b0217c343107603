"""Scrapy over the websites of the sandbox in the weather of the web, as politely as Canvass: a second between requests to a host, robots
rules obeyed, 384 requests at once, the same pages, the usual extraction.

Reads {start URL: further URLs} from standard input and prints when websites were done. It does not check certificates.
"""

import json
import re
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.defer import succeed

EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}")
PHONE = re.compile(r"\(?\d{3}\)?[ -.]\d{3}[ -.]\d{4}")
SOCIAL = re.compile(r"https?://(?:www\.)?(?:facebook|instagram|linkedin|twitter|x|youtube|tiktok)\.com/[^\"'\s]+")
SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": 384,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "DOWNLOAD_DELAY": 1.0,
    "RANDOMIZE_DOWNLOAD_DELAY": False,
    "DOWNLOAD_TIMEOUT": 15,
    "RETRY_TIMES": 1,
    "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
    "LOG_LEVEL": "CRITICAL",
    "USER_AGENT": "Bench/1",
    "COOKIES_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
}


class LocalhostResolver(CachingThreadedResolver):
    """Every name under .localhost is this machine."""

    def getHostByName(self, name, timeout=None):
        return succeed("127.0.0.1") if name.endswith(".localhost") else super().getHostByName(name, timeout)


class Sites(scrapy.Spider):
    name = "sites"

    def __init__(self, work: dict[str, list[str]]):
        super().__init__()
        self.work, self.begin, self.done, self.pages = work, time.perf_counter(), [], 0

    async def start(self):
        for url in self.work:
            yield scrapy.Request(url, callback=self.home, errback=self.over, dont_filter=True, meta={"start": url})

    def home(self, response):
        self.read(response)
        further = self.work[response.meta["start"]]
        if not further:
            self.over()
        left = {"pages": len(further)}
        for url in further:
            yield scrapy.Request(url, callback=self.page, errback=self.missed, dont_filter=True, meta={"left": left})

    def page(self, response):
        self.read(response)
        self.count_down(response.meta["left"])

    def missed(self, failure):
        self.count_down(failure.request.meta["left"])

    def count_down(self, left):
        left["pages"] -= 1
        if left["pages"] == 0:
            self.over()

    def over(self, _=None):
        self.done.append(time.perf_counter() - self.begin)

    def read(self, response):
        """What most such spiders collect: addresses, phones, profiles, structured data, text."""
        self.pages += 1
        if not isinstance(response, scrapy.http.TextResponse):
            return
        text = " ".join(response.css("body ::text").getall())
        set(EMAIL.findall(response.text)) | set(response.css("a[href^='mailto:']::attr(href)").getall())
        set(PHONE.findall(text)) | set(response.css("a[href^='tel:']::attr(href)").getall())
        set(SOCIAL.findall(response.text))
        response.css("script[type='application/ld+json']::text").getall()
        response.css("script::attr(src)").getall()

    def closed(self, _):
        done = sorted(self.done)
        counts = {"sites": len(done), "pages": self.pages, "half": done[len(done) // 2 - 1], "done": done[-1]}
        print(json.dumps(counts))


if __name__ == "__main__":
    process = CrawlerProcess(settings=SETTINGS | {"DNS_RESOLVER": LocalhostResolver})
    process.crawl(Sites, work=json.load(sys.stdin))
    process.start()
