// What a first visit fetches.
import { tab, until, visit } from "./house.mjs";

// The paths of the files, and the bytes of their answers with all heads, and of the WebSocket's.
export async function countBytes(browser, url, options = {}) {
    const context = await browser.createBrowserContext(), page = await tab(context);
    const devtools = await page.createCDPSession(), files = [];
    let bytes = 0;
    await devtools.send("Network.enable");
    devtools.on("Network.requestWillBeSent", ({ request }) => /^https?:/.test(request.url) && files.push(new URL(request.url).pathname));
    devtools.on("Network.loadingFinished", ({ encodedDataLength }) => { bytes += encodedDataLength; });
    devtools.on("Network.webSocketHandshakeResponseReceived", ({ response }) => { bytes += response.headersText.length; });
    await visit(browser, url, { ...options, page });
    await until(page, "the board", () => document.querySelector(".board .piece"));
    await context.close();
    return { files, bytes };
}
