// Playing in a real browser, against a terminal and against another browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { Player, Server, build, picture, point, press, staged, text, until, visit } from "./house.mjs";

const server = new Server(["--web", "play", "--name", "Hong's board", "--limits", "setup-s=600"]);
let browser;
staged(server, (opened) => { browser = opened; });

const status = (page, words) => until(page, words, (wanted) => document.querySelector(".status span")?.textContent === wanted, words);
// The page has shown so many moves, and asks for the next. The words alone are also there before the reader's own last move arrives.
const turn = (page, plies) => until(page, "turn " + plies, (wanted) => document.querySelectorAll(".moves .ply").length === wanted &&
    document.querySelector(".status span").textContent === "Your turn", plies);
const refusal = (page, pattern) => until(page, String(pattern), (source) => new RegExp(source).test(document.querySelector(".refusal").textContent), pattern.source);

async function click(page, from, to) {
    await page.click(point(from));
    await page.click(point(to));
}

async function drag(page, from, to) {
    const middle = async (name) => {
        const box = await (await page.$(point(name))).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await page.mouse.move(...await middle(from));
    await page.mouse.down();
    await page.mouse.move(...await middle(to), { steps: 5 });
    await page.mouse.up();
}

// A terminal that made a link, and a page that came by it under a name.
async function meet(name, size) {
    const terminal = await new Player(server).connect();
    await terminal.ask("login t-" + name, /^OK login/);
    const code = (await terminal.ask("invite time=10m+5s side=blue", /^OK invite code=(\S+)/))[1];
    await terminal.ask("join " + code, /^OK join waiting/);
    const page = await visit(browser, `${server.url}/join#${code}`, size);
    await until(page, "the question for a name", () => document.querySelector("form.typing input"));
    await picture(page, "join-" + name);
    await page.type("form.typing input", name);
    await page.keyboard.press("Enter");
    const game = (await terminal.hear(/^! game (\d+) 0 start red=/))[1];
    await status(page, "Choose your line-up");
    return { terminal, page, game };
}

// The knights and bishops of Red and Blue, "." for an empty point.
const backRows = (page) => page.evaluate(() => [0, 9].map((row) => [1, 2, 6, 7].map((file) => {
    const words = document.querySelector(`[data-point="${9 * row + file}"]`).getAttribute("aria-label");
    return words.endsWith("empty") ? "." : words.split(" ").at(-1)[0];
}).join("")).join(" "));

async function setUp({ terminal, page, game }) {
    assert.equal(await backRows(page), ".... ....", "nothing is chosen yet");
    await page.click('[aria-label="bishop, knight, knight, bishop"]');
    await terminal.hear(/ 1 setup red BNNB/);
    await until(page, "the chosen line-up", () => document.querySelector('[data-point="1"]').getAttribute("aria-label") === "B0, red bishop");
    assert.equal(await backRows(page), "bkkb ....");
    await terminal.ask(`setup game=${game} BNNB`, /^OK setup/);
    await status(page, "Your turn");
}

test("a whole game against a terminal, with equal logs", async () => {
    const match = await meet("anna"), { terminal, page, game } = match;
    await until(page, "the time to choose", () => /^ (10:00|[2-9]:\d\d)$/.test(document.querySelector(".countdown").textContent));
    assert.equal(await text(page, ".hint"), "The line-ups differ only in where the knights 馬 and the bishops 象 stand.");
    await picture(page, "setup-1280x800");
    await setUp(match);
    assert.match(await text(page, ".hint"), /^Choose a piece: green marks/);
    await click(page, "A3", "A4");
    await terminal.hear(/ move 1 red A3-A4/);
    await terminal.ask(`move game=${game} a6a5`, /^OK move/);
    await turn(page, 2);
    assert.equal(await page.$eval(".hint", (hint) => hint.hidden), true);
    await drag(page, "A4", "A5");
    await terminal.hear(/ move 3 red A4-A5/);
    await terminal.ask(`move game=${game} c9d7`, /^OK move/);
    await turn(page, 4);
    await page.click(point("A0"));
    await picture(page, "play-targets");
    await click(page, "I0", "I5");
    await refusal(page, /the pawn on I3 is in the rook's way to I5/);
    await picture(page, "play-refused");
    assert.ok(await page.$(".ring.blocker"));
    await page.type(".typing input", "c0d2");
    await page.keyboard.press("Enter");
    await terminal.hear(/ move 5 red C0-D2/);
    await page.type(".talk input", "good luck");
    await page.keyboard.press("Enter");
    await terminal.hear(/^! say game=\d+ by=anna : good luck$/);
    await terminal.ask(`say game=${game} <i>thanks</i>`, /^OK say/);
    await until(page, "the answer", () => document.querySelector(".said p:last-child span")?.textContent === "<i>thanks</i>");
    await terminal.ask(`draw game=${game}`, /^OK draw/);
    await until(page, "the offer", () => document.querySelector(".offer"));
    await press(page, "Decline");
    await terminal.hear(/^! gone \d+ why=declined/);
    await terminal.ask(`move game=${game} i6i5`, /^OK move/);
    await turn(page, 6);
    await press(page, "Resign");
    await press(page, "No");
    await press(page, "Resign");
    await press(page, "Resign the game");
    await status(page, "Blue wins by resignation.");
    await picture(page, "play-end");
    const late = await new Player(server).connect();
    await late.ask("login");
    await late.ask("watch " + game, /^OK watch/);
    await late.hear(/ end blue resignation/);
    await terminal.hear(/ end blue resignation/);
    const bare = (events) => events.map((event) => event.replace(/^\d+ /, ""));
    assert.deepEqual(bare(terminal.events(game)), bare(late.events(game)));
    const shown = await page.$$eval(".moves .ply", (rows) => rows.map((row) => row.textContent));
    assert.deepEqual(shown, ["1PA3–A4", "2pA6–A5", "3PA4×A5", "4nC9–D7", "5NC0–D2", "6pI6–I5"]);
    await terminal.ask(`rematch game=${game}`, /^OK rematch/);
    await until(page, "the offer of a rematch", () => document.querySelector(".offer"));
    await press(page, "Accept");
    await terminal.hear(/^! rematch game=\d+ new=(\d+)/);
    await until(page, "the next game", (old) => location.pathname !== "/game/" + old && document.querySelector(".player.blue .name")?.textContent === "anna", game);
    assert.deepEqual(page.faults, []);
});

test("somebody in the chat is ignored, and reported to the host", async () => {
    const { terminal, page, game } = await meet("mina"), lines = () => page.$$eval(".said p", (rows) => rows.map((row) => row.textContent));
    const said = (words) => until(page, words, (wanted) => [...document.querySelectorAll(".said p")].some((row) => row.textContent === wanted), words);
    const told = (words) => until(page, words, (wanted) => document.querySelector(".person [role=status]")?.textContent === wanted, words);
    const offered = (words) => until(page, words, (wanted) => [...document.querySelectorAll(".person button")].map((each) => each.textContent).join() === wanted, words);
    const hears = (words) => terminal.ask(`say game=${game} ${words}`, /^OK say/);
    await hears("you fool");
    await said("t-mina you fool");
    await page.type(".talk .words input", "please");
    await page.keyboard.press("Enter");
    await said("mina please");
    assert.equal(await page.$$eval(".said button", (names) => names.map((name) => name.textContent).join()), "t-mina", "nobody ignores themselves");
    await page.focus(".said button");
    await page.keyboard.press("Enter");
    await offered("Ignore,Report,Close");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.className), "person", "Enter twice ignores nobody");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "t-mina");
    await press(page, "t-mina");
    await offered("Ignore,Report,Close");
    await press(page, "Ignore");
    await offered("Stop ignoring,Report,Close");
    await hears("not heard");
    await press(page, "Close");
    await press(page, "t-mina");
    await offered("Stop ignoring,Report,Close");
    await press(page, "Stop ignoring");
    await offered("Ignore,Report,Close");
    await press(page, "Report");
    await until(page, "the question", () => document.activeElement?.placeholder === "What has happened?");
    await picture(page, "report-1280x800");
    await page.keyboard.type("rude <b>words</b>");
    await page.keyboard.press("Enter");
    await told("The host has your report.");
    await hears("heard again");
    await said("t-mina heard again");
    assert.ok(!(await lines()).includes("t-mina not heard"));
    assert.deepEqual(await page.$$eval(".said button", (names) => names.map((name) => name.tabIndex)), [-1, 0], "one stop of the Tab key for each speaker");
    const reports = execFileSync(join(build, "janggid"), ["ctl", "--data", join(server.directory, "data"), "reports"], { encoding: "utf8" });
    assert.match(reports, /by=mina target=t-mina lines=2 : rude <b>words<\/b>\n.*chat.* by=t-mina : you fool\n.*chat.* by=mina : please\n/);
    assert.deepEqual(page.faults, []);
});

test("guests who talk are ignored together; a guest ignores nobody", async () => {
    const { page, game } = await meet("sora"), guest = await new Player(server).connect();
    const name = (await guest.ask("login", /^OK login name=(guest\d+)/))[1];
    const last = (at, words) => until(at, words, (wanted) => document.querySelector(".said p:last-child span")?.textContent === wanted, words);
    await guest.ask("watch " + game, /^OK watch/);
    await guest.ask(`whisper game=${game} a weak line-up`, /^OK whisper/);
    await page.bringToFront();
    await press(page, "Resign");
    await press(page, "Resign the game");
    await last(page, "a weak line-up");
    await press(page, name);
    await press(page, "Ignore all guests");
    await until(page, "the way back", () => document.querySelector(".person button")?.textContent === "Stop ignoring");
    const other = await visit(browser, `${server.url}/game/${game}`);
    await status(other, "Blue wins by resignation.");
    await guest.ask(`whisper game=${game} and lost`, /^OK whisper/);
    await last(other, "and lost");
    assert.equal(await other.$(".said button"), null);
    await last(page, "a weak line-up");
    assert.deepEqual([...page.faults, ...other.faults], []);
});

test("kill -9 in the middle: the name, the seat and the move are kept", async () => {
    const match = await meet("bora"), { page, game } = match;
    await setUp(match);
    await click(page, "A3", "A4");
    await match.terminal.hear(/ move 1 red A3-A4/);
    const token = /login name=(\S+) token=(\S+)/.exec(match.terminal.lines.join("\n"));
    await server.kill();
    await until(page, "the banner", () => !document.querySelector(".banner").hidden);
    await server.start();
    const terminal = await new Player(server).connect();
    await terminal.ask(`login ${token[1]} token=${token[2]}`, /^OK login/);
    await terminal.ask(`move game=${game} a6a5`, /^OK move/);
    await turn(page, 2);
    await click(page, "A4", "A5");
    await terminal.hear(/ move 3 red A4-A5/);
    await page.reload();
    await status(page, "Blue to move");
    assert.equal(await text(page, "details.identity summary"), "bora");
    assert.match(await page.$eval("details.identity input", (line) => line.value), /^login bora token=\S{20,}$/);
});

test("keyboard only, on a phone's screen", async () => {
    const match = await meet("cho-rong", { width: 390, height: 844 }), { terminal, page } = match;
    await picture(page, "setup-390x844");
    await page.focus('[aria-label="bishop, knight, knight, bishop"]');
    await page.keyboard.press("Enter");
    await terminal.hear(/ 1 setup red BNNB/);
    await terminal.ask(`setup game=${match.game} BNNB`, /^OK setup/);
    await status(page, "Your turn");
    await page.focus('.grid [tabindex="0"]');
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await terminal.hear(/ move 1 red E3-E4/);
    await status(page, "Blue to move");
    await picture(page, "play-390x844");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling to the side");
    assert.deepEqual(page.faults, []);
});

test("browser against browser, by a link that one of them made", async () => {
    const host = await visit(browser, server.url + "/?games");
    await until(host, "the form", () => document.querySelector(".invite"));
    await press(host, "Make a link");
    await until(host, "the question for a name", () => document.querySelector(".sheet-page form input"));
    await host.type(".sheet-page form input", "도윤이");
    await host.keyboard.press("Enter");
    await until(host, "the link", () => document.querySelector(".sheet-page input[readonly]"));
    await picture(host, "invited");
    const link = await host.$eval(".sheet-page input[readonly]", (field) => field.value);
    assert.match(link, /^https:\/\/127\.0\.0\.1:\d+\/join#[\w-]+$/);
    const guest = await visit(browser, link, { language: "ko-KR", dark: true });
    await until(guest, "the question for a name", () => document.querySelector("form.typing input"));
    await guest.type("form.typing input", "하은이");
    await guest.keyboard.press("Enter");
    for (const page of [host, guest]) await until(page, "the game", () => document.querySelector(".status span")?.textContent !== undefined);
    const red = await host.$eval(".player.red .name", (name) => name.textContent) === "도윤이" ? host : guest, blue = red === host ? guest : host;
    for (const page of [red, blue]) {
        await until(page, "the line-ups", () => document.querySelector(".lineups:not([hidden]) .lineup"));
        await page.click(".lineup:nth-child(4)");
    }
    await until(red, "the first move", () => !document.querySelector("form.typing").hidden);
    await click(red, "A3", "A4");
    await until(blue, "that move", () => document.querySelectorAll(".moves li").length === 1);
    assert.deepEqual([...host.faults, ...guest.faults], []);
});
