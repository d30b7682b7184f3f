// A game that is over is analysed on the page, by the engine in a worker.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Server, begin, openBrowser, picture, play, press, text, until, visit } from "./house.mjs";

const server = new Server(["--web", "watch", "--name", "The club"]);
const recorded = readFileSync(join("tests", "data", "mate_game.txt"), "utf8").trim().split("\n").map((line) => line.split(" "));
const moves = recorded.filter((words) => words[0] === "move").map((words) => words[3]);
let browser, match;
before(async () => {
    await server.start();
    browser = await openBrowser();
    match = await begin(server, "time=none", recorded.filter((words) => words[0] === "setup").map((words) => words[2]));
    await play(match, moves.join(" "));
});
after(async () => {
    await browser?.close();
    await server.remove();
});

const address = () => `${server.url}/game/${match.game}`;
const analysed = (page) => until(page, "the end of the analysis", (count) =>
    document.querySelector(".analysis polyline")?.getAttribute("points")?.split(" ").length === count &&
    /·/.test(document.querySelector(".analysis [role=status]").textContent), moves.length + 1);

test("the graph, the marks and the way to a move", async () => {
    const page = await visit(browser, address());
    await until(page, "the button", () => [...document.querySelectorAll("button")].some((each) => each.textContent === "Analyse"));
    await press(page, "Analyse");
    await until(page, "progress", () => [...document.querySelectorAll(".analysis p")].some((words) => /^Analysing: \d+ %$|·/.test(words.textContent)));
    assert.ok(await page.evaluate(() => document.activeElement.matches(".analysis")), "who uses the keyboard is there as well");
    await analysed(page);
    const label = await page.$eval(".analysis svg", (svg) => svg.getAttribute("aria-label"));
    const chances = label.replace(/^.*: /, "").split(", ").map(Number);
    assert.equal(chances.length, moves.length + 1);
    assert.ok(chances.every((chance) => chance >= 0 && chance <= 100), label);
    const isRedsWin = recorded.at(-1)[1] === "red";
    assert.ok(isRedsWin ? chances.at(-1) > 90 : chances.at(-1) < 10, `who mates has won: ${label}`);
    const marked = await page.$$eval(".analysis button", (buttons) => buttons.map((each) => each.textContent));
    assert.ok(marked.some((words) => /^\d+\. \S+ \?! −\d+ %, better: [A-I]\d-[A-I]\d$/.test(words)), marked.join(" | "));
    assert.equal(await page.$$eval(".moves .mark", (marks) => marks.length), marked.length);
    await picture(page, "analysis-1280x800");
    await page.$eval(".analysis button", (button) => button.click());
    const ply = Number(marked[0].split(".")[0]) - 1;
    assert.equal(await text(page, ".status span"), `After move ${ply} of ${moves.length}`);
    await page.$eval(".analysis svg", (svg) => {
        const box = svg.getBoundingClientRect();
        svg.dispatchEvent(new MouseEvent("click", { clientX: box.left + 0.1, clientY: box.top + 5, bubbles: true }));
    });
    assert.equal(await text(page, ".status span"), `After move 0 of ${moves.length}`);
    assert.deepEqual(page.faults, []);
});

test("in Korean, on a phone", async () => {
    const page = await visit(browser, address(), { language: "ko-KR", width: 390, height: 844, dark: true });
    await until(page, "the button", () => [...document.querySelectorAll("button")].some((each) => each.textContent === "분석"));
    await press(page, "분석");
    await analysed(page);
    assert.match(await text(page, ".analysis [role=status]"), /악수|실수/);
    await picture(page, "analysis-korean-390x844");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the phone");
    assert.deepEqual(page.faults, []);
});
