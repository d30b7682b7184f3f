// The page in client/pictures, of a real game: node tests/web/pictures.mjs (make pictures)
import { Server, begin, openBrowser, play, until, visit } from "./house.mjs";

const server = new Server(["--web", "play", "--name", "Hong's board"]);
await server.start();
const browser = await openBrowser();
try {
    const match = await begin(server, "time=10m+5s", ["NBNB", "NBBN"]);
    await play(match, "b0c2 i6h6 a3b3 a6a5 i3h3");
    const page = await visit(browser, `${server.url}/game/${match.game}`, { width: 720, height: 545 });
    await until(page, "five moves", () => document.querySelectorAll(".moves .ply").length === 5);
    await page.screenshot({ path: "client/pictures/page.png" });
} finally {
    await browser.close();
    await server.remove();
}
