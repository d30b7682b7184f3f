// A free board after the game and for spectators: any moves, the computer's move, arrows and circles.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Server, begin, box, picture, play, point, press, staged, text, until, visit } from "./house.mjs";

const server = new Server(["--web", "watch", "--name", "The club"]);
let browser;
staged(server, (opened) => { browser = opened; });

const status = (page, words) => until(page, `the status ${words}`, (wanted) => document.querySelector(".status span")?.textContent === wanted, words);
const label = (page, name) => page.$eval(point(name), (button) => button.getAttribute("aria-label"));

async function pick(page, from, to) {
    for (const name of [from, to]) await page.click(point(name));
}

async function watching(options, moves) {
    const match = await begin(server, options);
    await play(match, moves);
    const page = await visit(browser, `${server.url}/game/${match.game}`);
    await until(page, "the moves", (count) => document.querySelectorAll(".moves li").length === count, moves.split(" ").length);
    return { match, page };
}

test("a spectator tries moves of both sides, sees the computer's, and goes back while the game goes on", async () => {
    const { match, page } = await watching("time=10m+5s lag=no claim=90s", "a3b3 a6b6");
    await pick(page, "C3", "D3");
    await status(page, "On a board of your own: Blue to move");
    await pick(page, "C6", "D6");
    await status(page, "On a board of your own: Red to move");
    assert.equal(await text(page, ".trial span"), "Tried: C3–D3 C6–D6");
    await press(page, "Computer's move");
    await until(page, "an arrow", () => document.querySelector("path.sketch.best") !== null);
    await picture(page, "trial-1280x800");
    await play(match, "i3h3");
    await until(page, "the move of the game in its list", () => document.querySelectorAll(".moves li").length === 3);
    assert.equal(await text(page, ".trial span"), "Tried: C3–D3 C6–D6", "the board is still the reader's own");
    await press(page, "Undo");
    await status(page, "On a board of your own: Blue to move");
    await page.keyboard.press("Escape");
    await status(page, "Blue to move");
    assert.equal(await label(page, "H3"), "H3, red pawn");
    assert.equal(await page.$(".trial"), null);
    assert.deepEqual(page.faults, []);
});

test("after the end, from an earlier move, by dragging; an illegal move is not made", async () => {
    const { match, page } = await watching("time=none rules=kja", "a6b6 a3b3");
    await match.red.ask(`resign game=${match.game}`, /^OK resign/);
    await status(page, "Blue wins by resignation.");
    await page.click(".moves li:first-child button");
    await status(page, "After move 1 of 2");
    const middle = async (name) => {
        const { left, top, width, height } = await box(page, point(name));
        return [left + width / 2, top + height / 2];
    };
    const drag = async (from, to, button = "left") => {
        await page.mouse.move(...await middle(from));
        await page.mouse.down({ button });
        await page.mouse.move(...await middle(to), { steps: 4 });
        await page.mouse.up({ button });
    };
    await drag("E3", "E7");
    await drag("E3", "E4");
    await status(page, "On a board of your own: Blue to move");
    assert.equal(await text(page, ".trial span"), "Tried: E3–E4", "a pawn goes one step");
    await drag("B0", "C2", "right");
    await drag("E8", "E8", "right");
    assert.deepEqual(await page.$$eval(".sketch.own", (marks) => marks.map((mark) => mark.tagName)), ["path", "circle"]);
    await drag("B0", "C2", "right");
    assert.equal(await page.$$eval(".sketch.own", (marks) => marks.length), 1, "the same once more takes it away");
    await picture(page, "trial-end-1280x800");
    await press(page, "Back to the game");
    await status(page, "After move 1 of 2");
    await page.keyboard.press("End");
    await status(page, "Blue wins by resignation.");
    await pick(page, "B6", "B5");
    await until(page, "the move after the last", () => document.querySelector(".trial span")?.textContent === "Tried: B6–B5");
    await page.keyboard.press("Escape");
    await status(page, "Blue wins by resignation.");
    assert.equal((await page.$$eval(".files ~ button", (buttons) => buttons.filter((each) => each.textContent === "Analyse").length)), 1, "once");
    assert.deepEqual(page.faults, []);
});

test("the points are named as in Korean records, on the board, in the list and for a screen reader", async () => {
    const { page } = await watching("time=none", "a3b3 a6b6");
    await page.select("select[aria-label='Names of the points']", "korean");
    await until(page, "the list", () => document.querySelector(".moves li:nth-child(2) .words").textContent === "79–78");
    assert.equal(await label(page, "B6"), "78, blue pawn");
    assert.deepEqual(await page.$$eval(".names text", (names) => names.map((each) => each.textContent).join("")), "987654321" + "1234567890");
    await pick(page, "C3", "D3");
    await until(page, "the tried move", () => document.querySelector(".trial span")?.textContent === "Tried: 47–46");
    await picture(page, "korean-points-1280x800");
    await page.reload();
    await until(page, "remembered", () => document.querySelector(".moves li:nth-child(1) .words")?.textContent === "49–48");
    assert.deepEqual(page.faults, []);
});
