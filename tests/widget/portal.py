"""The page of another site that includes the loader."""

from playwright.sync_api import FrameLocator, Page

from tests.widget.running import Site

PORTAL = '<title>内网门户</title><link rel="icon" href="data:,"><h1>内网门户</h1>'


def portal(site: Site, service: str, before: str = "", name: str = "portal.html") -> str:
    """Publishes the page, `before` being its own script ahead of the loader; returns its address."""
    loader = f'<script src="{service}/embed.js" async></script>'
    return site.put(name, f"{PORTAL}<script>{before}</script>{loader}")


def opened(page: Page) -> FrameLocator:
    page.get_by_role("button", name="打开知行助手").click()
    return page.frame_locator("iframe[title='知行助手']")
