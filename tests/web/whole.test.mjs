// A whole game up to mate, by each way in which somebody can play: fingers, keys, the tree that a screen reader gets, a mouse; in
// Korean, in dark, in forced colours, and in Firefox where it is installed.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Player, Server, openBrowser, picture, pictures, point, staged, until, visit } from "./house.mjs";

const server = new Server(["--web", "play", "--name", "Hong's board", "--limits", "setup-s=600"]);
const recorded = readFileSync(join("tests", "data", "mate_game.txt"), "utf8").trim().split("\n").map((line) => line.split(" "));
const moves = recorded.filter((words) => words[0] === "move").map((words) => words[3]);
const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
let browser;
staged(server, (opened) => { browser = opened; });

// Each way to press a control that is on the page, and a point of the board.
const mouse = { press: (page, selector) => page.click(selector), point: (page, name) => page.click(point(name)) };
const fingers = {
    press: (page, selector) => page.tap(selector),
    point: (page, name) => page.tap(point(name)),
};
// No control gets the focus but by Tab and the arrows.
const tabTo = async (page, selector) => {
    for (let i = 0; i < 60; i++) {
        if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
        await page.keyboard.press("Tab");
    }
    throw new Error("Tab does not lead to " + selector);
};
const keys = {
    press: async (page, selector) => {
        await tabTo(page, selector);
        await page.keyboard.press("Enter");
    },
    point: async (page, name) => {
        await tabTo(page, ".grid button");
        const at = Number(await page.evaluate(() => document.activeElement.dataset.point)), to = "ABCDEFGHI".indexOf(name[0]) + 9 * Number(name[1]);
        const files = to % 9 - at % 9, rows = Math.floor(to / 9) - Math.floor(at / 9);
        for (let i = 0; i < Math.abs(files); i++) await page.keyboard.press(files > 0 ? "ArrowRight" : "ArrowLeft");
        for (let i = 0; i < Math.abs(rows); i++) await page.keyboard.press(rows > 0 ? "ArrowUp" : "ArrowDown");
        await page.keyboard.press("Enter");
    },
};
// What the tree calls it, not where it is.
const named = async (page, fits) => {
    const find = (node) => fits(node) ? node : (node.children ?? []).map(find).find(Boolean);
    const node = find(await page.accessibility.snapshot({ interestingOnly: false }));
    await (await node.elementHandle()).evaluate((element) => element.click());
};
const tree = {
    press: async (page, selector) => {
        const label = await page.$eval(selector, (element) => element.getAttribute("aria-label"));
        await named(page, ({ role, name }) => role === "button" && name === label);
    },
    point: (page, name) => named(page, (node) => node.role === "gridcell" && node.name.startsWith(name + ",")),
};

async function playWhole(page, name, hand) {
    const terminal = await new Player(server).connect();
    await terminal.ask("login t-" + name, /^OK login/);
    const code = (await terminal.ask("invite time=none side=blue", /^OK invite code=(\S+)/))[1];
    await terminal.ask("join " + code, /^OK join waiting/);
    await page.goto(`${server.url}/join#${code}`);
    await until(page, "the question for a name", () => document.activeElement.matches("form.typing input"));
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    const game = (await terminal.hear(/^! game (\d+) 0 start red=/))[1];
    await until(page, "the line-ups", () => document.querySelector(".lineups:not([hidden]) .lineup"));
    await hand.press(page, ".lineup:nth-child(3)");
    await terminal.hear(/ 1 setup red NBNB/);
    await terminal.ask(`setup game=${game} BNNB`, /^OK setup/);
    for (const [i, move] of moves.entries()) {
        await until(page, `move ${i}`, (count) => document.querySelectorAll(".moves .ply").length === count && document.querySelector(".ring.pending") === null, i);
        const [from, to] = move.split("-");
        if (i % 2 === 1) await terminal.ask(`move game=${game} ${move}`, /^OK move/);
        else {
            await hand.point(page, from);
            await until(page, "the chosen " + from, () => document.querySelector(".ring.chosen"));
            if (i === 10) await page.screenshot({ path: join(pictures, `whole-${name}-middle.png`) });
            await hand.point(page, to);
            await terminal.hear(new RegExp(` move ${i + 1} red ${move}`));
        }
    }
    await terminal.hear(/ end red checkmate/);
    await until(page, "the end", () => document.querySelector(".status.over.red"));
    terminal.close();
}

const forced = { features: [{ name: "forced-colors", value: "active" }] };
const ways = [
    ["fingers", { width: 390, height: 844 }, fingers],
    ["keys", {}, keys],
    ["tree", {}, tree],
    ["korean", { language: "ko-KR" }, keys],
    ["dark", { dark: true }, tree],
    ["forced", {}, mouse],
];
for (const [name, options, hand] of ways)
    test(`a whole game: ${name}`, async () => {
        const page = await visit(browser, "about:blank", options);
        if (hand === fingers) await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
        if (name === "forced") await (await page.createCDPSession()).send("Emulation.setEmulatedMedia", forced);
        await playWhole(page, name, hand);
        await picture(page, "whole-" + name);
        assert.deepEqual(page.faults, []);
    });

test("a whole game: firefox", { skip: existsSync(FIREFOX) ? false : "no Firefox" }, async () => {
    const firefox = await openBrowser({ browser: "firefox", executablePath: FIREFOX, args: [] });
    try {
        const page = await firefox.newPage();
        page.faults = [];
        page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
        page.on("pageerror", (error) => page.faults.push(String(error)));
        await page.setViewport({ width: 1280, height: 800 });
        await playWhole(page, "firefox", mouse);
        await page.screenshot({ path: join(pictures, "whole-firefox.png") });
        assert.deepEqual(page.faults, []);
    } finally {
        await firefox.close();
    }
});
