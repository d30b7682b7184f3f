// What Lighthouse says of the page, as of a phone on Slow 4G whose processor is four times slower, and how long a first visit
// takes there.
//
//   BUILD=build node tests/measure/lighthouse.mjs [PATH ...]
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Server, begin, build, openBrowser, play, tab, until } from "../web/house.mjs";

const require = createRequire(join(process.cwd(), build, "lighthouse-node", "package.json"));
const { default: lighthouse } = await import(pathToFileURL(require.resolve("lighthouse")));
const SLOW = { offline: false, latency: 150, downloadThroughput: 1.6e6 * 0.9 / 8, uploadThroughput: 0.75e6 * 0.9 / 8 };

const server = new Server(["--web", "play", "--name", "Hong's board"]);
await server.start();
const browser = await openBrowser();
try {
    const match = await begin(server), port = new URL(browser.wsEndpoint()).port;
    await play(match, "a3a4 a6a5 a4a5 b9a7");
    const paths = process.argv.length > 2 ? process.argv.slice(2) : ["/game/" + match.game, "/?games", "/?learn"];
    for (const path of paths) {
        const page = await tab(await browser.createBrowserContext()), devtools = await page.createCDPSession();
        await devtools.send("Network.enable");
        await devtools.send("Network.emulateNetworkConditions", SLOW);
        await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
        await page.setViewport({ width: 390, height: 844, deviceScaleFactor: 3, isMobile: true, hasTouch: true });
        await page.goto(server.url + path);
        page.faults = [];
        await until(page, "the board", () => document.querySelector(".board .piece"));
        const drawn = await page.evaluate(() => performance.now());
        await page.browserContext().close();
        const { lhr } = await lighthouse(server.url + path, { port, logLevel: "error", output: "json" });
        const scores = Object.values(lhr.categories).map(({ title, score }) => `${title} ${Math.round(100 * score)}`);
        console.log(`${path}: ${scores.join(", ")}; drawn after ${(drawn / 1000).toFixed(2)} s`);
        for (const { id, title, score, scoreDisplayMode } of Object.values(lhr.audits))
            if (score !== null && score < 0.9 && !["informative", "metricSavings"].includes(scoreDisplayMode)) console.log(`    ${id} ${score}: ${title}`);
    }
} finally {
    await browser.close();
    await server.remove();
}
