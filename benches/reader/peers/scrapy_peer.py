"""Scrapy over the same sites with the usual extraction: robots rules obeyed, no delay, the same
pages a site. `bare` as an argument leaves the extraction out."""

import json
import re
import sys

import scrapy
from scrapy.crawler import CrawlerProcess

EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}")
PHONE = re.compile(r"\(?\d{3}\)?[ -.]\d{3}[ -.]\d{4}")
SOCIAL = re.compile(r"https?://(?:www\.)?(?:facebook|instagram|linkedin|twitter|x|youtube|tiktok)\.com/[^\"'\s]+")
WORTH = re.compile(r"contact|about|team|impressum", re.I)
EXTRACT = "bare" not in sys.argv[1:]
COUNTS = {"pages": 0, "bytes": 0, "emails": 0}


def facts(response):
    """What most such spiders collect: addresses, phones, profiles, structured data, text."""
    text = " ".join(response.css("body ::text").getall())
    emails = set(EMAIL.findall(response.text)) | set(response.css("a[href^='mailto:']::attr(href)").getall())
    phones = set(PHONE.findall(text)) | set(response.css("a[href^='tel:']::attr(href)").getall())
    socials = set(SOCIAL.findall(response.text))
    data = [block for block in response.css("script[type='application/ld+json']::text").getall()]
    scripts = response.css("script::attr(src)").getall()
    return emails, phones, socials, data, scripts


class Sites(scrapy.Spider):
    name = "sites"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "ERROR",
        "USER_AGENT": "Bench/1",
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "RETRY_ENABLED": False,
    }

    async def start(self):
        for line in sys.stdin:
            yield scrapy.Request(line.strip(), callback=self.home)

    def home(self, response):
        self.count(response)
        for link in response.css("a::attr(href)").getall():
            if WORTH.search(link) and link.startswith("/"):
                yield response.follow(link, callback=self.count)

    def count(self, response):
        COUNTS["pages"] += 1
        COUNTS["bytes"] += len(response.body)
        if EXTRACT:
            COUNTS["emails"] += len(facts(response)[0])


process = CrawlerProcess(settings={"LOG_LEVEL": "ERROR"})
process.crawl(Sites)
process.start()
print(json.dumps(COUNTS))
