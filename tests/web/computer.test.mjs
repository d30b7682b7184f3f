// A game against the computer on the page: without a name, and while the server is away.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Player, Relay, Server, openBrowser, picture, point, press, text, until, visit } from "./house.mjs";

const server = new Server(["--web", "play", "--name", "The club"]);
let browser, relay;
before(async () => {
    await server.start();
    relay = await new Relay(server).start();
    browser = await openBrowser();
});
after(async () => {
    await browser?.close();
    relay?.stop();
    await server.remove();
});

const status = (page, words) => until(page, `the status ${words}`, (wanted) => document.querySelector(".status span")?.textContent === wanted, words);
const played = (page, count) => until(page, `${count} moves`, (wanted) => document.querySelectorAll(".moves li").length === wanted, count);

async function begin(page, { level = "1", rules = "martin", side = "red" } = {}) {
    await until(page, "the form", () => [...document.querySelectorAll("h2")].some((each) => each.textContent === "Play the computer"));
    await page.evaluate((level, rules, side) => {
        const form = [...document.querySelectorAll("form")].find((each) => each.textContent.includes("Play the computer"));
        const [levels, ruleNames, sides] = form.querySelectorAll("select");
        Object.assign(levels, { value: level });
        Object.assign(ruleNames, { value: rules });
        Object.assign(sides, { value: side });
        form.requestSubmit();
    }, level, rules, side);
    await until(page, "the board", () => document.querySelector(".lineup:not([hidden])") !== null);
}

async function setUp(page) {
    await status(page, "Choose your line-up");
    await page.$eval(".lineups .lineup", (button) => button.click());
}

async function move(page, from, to) {
    await status(page, "Your turn");
    for (const name of [from, to]) await page.click(point(name));
}

test("a visitor without a name plays, takes back, asks for a hint and resigns, and plays again", async () => {
    const page = await visit(browser, server.url);
    await until(page, "the front page", () => document.querySelector(".front") !== null);
    await picture(page, "computer-front-1280x800");
    await begin(page);
    assert.equal(new URL(page.url()).search, "?computer");
    await setUp(page);
    await move(page, "A3", "B3");
    await played(page, 2);
    await status(page, "Your turn");
    await picture(page, "computer-1280x800");
    await press(page, "Take back");
    await played(page, 0);
    await move(page, "C3", "D3");
    await played(page, 2);
    await status(page, "Your turn");
    await press(page, "Hint");
    await until(page, "a hint", () => /^Hint: [A-I]\d-[A-I]\d$/.test(document.querySelector(".refusal").textContent));
    const [from, to] = (await text(page, ".refusal")).slice("Hint: ".length).split("-");
    await page.click(point(to)); // the hint has chosen the piece
    await played(page, 4);
    assert.notEqual(from, to);
    await status(page, "Your turn");
    await press(page, "Resign");
    await press(page, "Resign the game");
    await status(page, "Blue wins by resignation.");
    await until(page, "the analysis", () => [...document.querySelectorAll("button")].some((each) => each.textContent === "Analyse"));
    assert.equal(await page.evaluate(() => [...document.querySelectorAll("button")].some((each) => each.textContent === "Record")), false, "no server has it");
    await press(page, "Play again");
    await status(page, "Choose your line-up");
    assert.deepEqual(page.faults, []);
});

test("the game goes on while the server is away, and in a page that is loaded again", async () => {
    const page = await visit(browser, relay.url);
    await begin(page, { rules: "kja", side: "blue" });
    await setUp(page);
    relay.freeze();
    relay.cut();
    await move(page, "A6", "B6");
    await played(page, 2);
    await status(page, "Your turn");
    assert.equal(await page.$eval(".banner", (banner) => banner.hidden), true, "nothing is lost");
    relay.thaw();
    await page.reload();
    await played(page, 2);
    await move(page, "C6", "D6");
    await played(page, 4);
    await page.goto(relay.url + "/?games");
    await press(page, "Continue your game");
    await played(page, 4);
});

test("a game that somebody accepts meanwhile is shown", async () => {
    const page = await visit(browser, server.url);
    await press(page, "Find an opponent");
    await until(page, "the name", () => document.querySelector("form input[type=text]") !== null);
    await page.type("form input[type=text]", "park");
    await page.keyboard.press("Enter");
    await until(page, "the seek", () => [...document.querySelectorAll("button")].some((each) => each.textContent === "Withdraw"));
    await begin(page);
    const other = await new Player(server).connect();
    await other.ask("login lee", /^OK login/);
    const [, id] = await other.ask("seeks", /^\| seek (\d+) /);
    await other.ask("accept " + id, /^OK accept/);
    await until(page, "the game", () => /^\/game\/\d+$/.test(location.pathname));
    assert.match(await text(page, "h1"), /^Game \d+$/);
    other.close();
});

test("in Korean, on a phone", async () => {
    const page = await visit(browser, server.url + "/?computer", { language: "ko-KR", width: 390, height: 844, dark: true });
    await until(page, "the line-ups", () => document.querySelector(".lineups .lineup") !== null);
    await page.$eval(".lineups .lineup", (button) => button.click());
    await until(page, "our turn", () => /차례/.test(document.querySelector(".status span").textContent));
    await picture(page, "computer-ko-390x844-dark");
    assert.deepEqual(await page.$$eval(".player .name", (names) => names.map((each) => each.textContent)), ["computer-3", "나"]);
    assert.deepEqual(page.faults, []);
});

test("the language changes, and what the browser has kept is damaged", async () => {
    const page = await visit(browser, server.url + "/?games");
    await begin(page);
    await setUp(page);
    await move(page, "A3", "B3");
    await played(page, 2);
    await page.evaluate(() => localStorage.setItem("janggi.language", "ko"));
    await page.reload();
    await until(page, "our turn in Korean", () => document.querySelector(".status span")?.textContent === "내 차례");
    await page.click(point("C3"));
    await page.click(point("D3"));
    await played(page, 4);
    const settings = { level: 3, rules: "martin", side: "red" };
    for (const kept of ["{", "{}", "null", JSON.stringify({ settings, events: [null, "nonsense"] }), JSON.stringify({ settings: { ...settings, rules: "gone" }, events: [] }),
                        JSON.stringify({ settings: { ...settings, level: 5000000 }, events: ["start red=나 blue=computer-3 rules=martin time=none"] })]) {
        await page.evaluate((words) => localStorage.setItem("janggi.computer", words), kept);
        await page.reload();
        await until(page, "a new game after " + kept, () => document.querySelector(".lineups:not([hidden]) .lineup") !== null);
    }
    assert.deepEqual(page.faults, []);
});

test("a server without guests leaves the game alone, and so does another tab of the same name", async () => {
    const closed = new Server(["--web", "play", "--guests", "none"]);
    await closed.start();
    const page = await visit(browser, closed.url + "/?computer");
    await setUp(page);
    await move(page, "A3", "B3");
    await played(page, 2);
    assert.equal(await page.$(".sheet-page"), null, "no question for a name");
    await closed.remove();
    const owner = await new Player(server).connect();
    const token = (await owner.ask("login yuna", /^OK login name=\S+ token=(\S+)/))[1];
    owner.close();
    const keep = ([name, proof]) => { localStorage.setItem("janggi.name", name); localStorage.setItem("janggi.token", proof); };
    const first = await visit(browser, server.url + "/?computer", { early: keep, earlyWith: ["yuna", token] });
    await setUp(first);
    await status(first, "Your turn");
    const other = await new Player(server).connect();
    await other.ask("login yuna token=" + token, /^OK login/);
    await until(first, "the words", () => [...document.querySelectorAll("button")].some((each) => each.textContent === "Use this tab"));
    await move(first, "A3", "B3");
    await played(first, 2);
    other.close();
});

test("hints wait for each other, and the focus stays", async () => {
    const page = await visit(browser, server.url + "/?games");
    await begin(page);
    await setUp(page);
    await status(page, "Your turn");
    await press(page, "Hint");
    assert.equal(await page.evaluate(() => [...document.querySelectorAll("button")].some((each) => each.textContent === "Hint")), false, "one at a time");
    await until(page, "a hint", () => document.querySelector(".refusal").textContent.startsWith("Hint: "));
    await page.keyboard.press("Escape"); // the hint may have chosen A3, which a click would let go
    await move(page, "A3", "B3");
    await played(page, 2);
    await status(page, "Your turn");
    await page.evaluate(() => [...document.querySelectorAll("button")].find((each) => each.textContent === "Take back").focus());
    await page.keyboard.press("Enter");
    await played(page, 0);
    assert.ok(await page.evaluate(() => document.querySelector(".actions").contains(document.activeElement) || document.activeElement.dataset.point !== undefined));
    assert.deepEqual(page.faults, []);
});
