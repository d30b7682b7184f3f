// What a visitor of the page waits for, in Chromium on this machine: from the link to a drawn board, with nothing cached, and
// from a move at a terminal to the frame that shows it.
//
//   BUILD=build node tests/measure/page.mjs [VISITS [MOVES]]
import { Server, begin, openBrowser, until, visit } from "../web/house.mjs";
import { countBytes } from "../web/bytes.mjs";

const [visits, moves] = [Number(process.argv[2] ?? 15), Number(process.argv[3] ?? 60)];
const server = new Server(["--web", "watch"]);

// Runs in the page before its own script: notes when the first piece, and each further move, is in a frame.
function watchFrames() {
    globalThis.frames_ms = [];
    let shown = -1;
    new MutationObserver(() => {
        const count = document.querySelector(".board .piece") === null ? -1 : document.querySelectorAll(".moves li").length;
        if (count === shown) return;
        shown = count;
        requestAnimationFrame(() => globalThis.frames_ms.push([count, performance.timeOrigin + performance.now()]));
    }).observe(document, { childList: true, subtree: true });
}

const at = (page, count) => page.evaluate((wanted) => globalThis.frames_ms.find(([moves]) => moves === wanted)?.[1], count);
const drawn = (page, count) => until(page, `move ${count}`, (wanted) => globalThis.frames_ms?.some(([moves]) => moves === wanted), count);

function row(name, values) {
    values.sort((a, b) => a - b);
    const part = (p) => values[Math.min(values.length - 1, Math.floor(values.length * p))].toFixed(0).padStart(5);
    console.log(`${name.padEnd(14)} ${part(0.5)} ms p50 ${part(0.95)} ms p95 ${part(1)} ms most, of ${values.length}`);
}

await server.start();
const browser = await openBrowser();
try {
    const match = await begin(server), loads = [];
    for (let i = 0; i < visits; i++) {
        const page = await visit(browser, `${server.url}/game/${match.game}`, { early: watchFrames });
        await drawn(page, 0);
        loads.push(await at(page, 0) - await page.evaluate(() => performance.timeOrigin));
        await page.browserContext().close();
    }
    row("page-load", loads);
    const page = await visit(browser, `${server.url}/game/${match.game}`, { early: watchFrames }), waits = [];
    await drawn(page, 0);
    for (let ply = 1; ply <= moves; ply++) {
        const mover = match.order[0], list = (await mover.ask("moves " + match.game, /^OK moves .*list=(\S+)/))[1].split(",");
        const move = list[(ply * 7919) % list.length], sent = performance.timeOrigin + performance.now();
        await mover.ask(`move ${match.game} ${move}`, /^OK move/);
        match.order.reverse();
        await drawn(page, ply);
        waits.push(await at(page, ply) - sent);
    }
    row("move-to-board", waits);
    const { files, bytes } = await countBytes(browser, `${server.url}/game/${match.game}`);
    console.log(`first visit    ${files.length} files and a WebSocket's upgrade, ${bytes} bytes with all heads`);
} finally {
    await browser.close();
    await server.remove();
}
