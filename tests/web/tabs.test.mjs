// Several tabs of one browser, in which a reader plays under one name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Player, Server, point, press, staged, tab, text, until, visit } from "./house.mjs";

const server = new Server(["--web", "play", "--limits", "setup-s=600"]);
let browser;
staged(server, (started) => { browser = started; });

const early = ([name, token]) => { localStorage.setItem("janggi.name", name); localStorage.setItem("janggi.token", token); };
const plies = (page, count) => until(page, `${count} moves`, (n) => document.querySelector(".moves") !== null && document.querySelectorAll(".moves li").length === n, count);
const isCalm = (page) => page.$eval(".banner", (banner) => banner.hidden);

// A running game of that name, as Red, against a terminal.
async function meet(name, options = "time=none") {
    const own = await new Player(server).connect(), terminal = await new Player(server).connect();
    const token = (await own.ask("login " + name, /^OK login name=\S+ token=(\S+)/))[1];
    await terminal.ask("login t-" + name, /^OK login/);
    const seek = (await own.ask("seek side=red " + options, /^OK seek id=(\d+)/))[1];
    const game = (await terminal.ask("accept " + seek, /^OK accept game=(\d+)/))[1];
    for (const player of [own, terminal]) await player.ask(`setup game=${game} NBNB`, /^OK setup/);
    own.close();
    return { terminal, game, name, token };
}

const open = (match, page = null) => visit(browser, `${server.url}/game/${match.game}`, { early, earlyWith: [match.name, match.token], page });

async function move(page, terminal, from, to) {
    await page.bringToFront();
    await page.click(point(from));
    await page.click(point(to));
    await terminal.hear(new RegExp(` move \\d+ red ${from}-${to}`));
}

test("a second tab plays on the connection of the first, and takes it over when the first closes", async () => {
    const match = await meet("garam"), { terminal, game } = match;
    const first = await open(match);
    await plies(first, 0);
    await terminal.ask("draw game=" + game, /^OK draw/);
    await until(first, "the offer", () => document.querySelector(".asked .offer"));
    const second = await open(match, await tab(first.browserContext()));
    await until(second, "the offer that was made before", () => document.querySelector(".asked .offer"));
    const third = await visit(browser, server.url + "/?games", { page: await tab(first.browserContext()) });
    await until(third, "our game", () => document.querySelector(".card strong")?.textContent === "Your turn");
    await move(second, terminal, "A3", "A4");
    await plies(first, 1);
    await terminal.ask(`move game=${game} a6a5`, /^OK move/);
    await plies(second, 2);
    await plies(first, 2);
    await move(first, terminal, "C3", "C4");
    await plies(second, 3);
    assert.deepEqual(await Promise.all([first, second, third].map(isCalm)), [true, true, true]);
    await first.close();
    await terminal.ask(`move game=${game} c6c5`, /^OK move/);
    await plies(second, 4);
    await move(second, terminal, "E3", "E4");
    await third.close();
    await terminal.ask(`move game=${game} e6e5`, /^OK move/);
    await plies(second, 6);
    await move(second, terminal, "G3", "G4");
    assert.ok(await isCalm(second));
    assert.deepEqual([...first.faults, ...second.faults, ...third.faults], []);
    await terminal.ask("resign game=" + game, /^OK resign/);
});

test("a guest who takes a name shares the connection from then on", async () => {
    const first = await visit(browser, server.url + "/?games");
    await press(first, "Find an opponent");
    await until(first, "the question for a name", () => document.querySelector(".sheet-page form input"));
    await first.type(".sheet-page form input", "narae");
    await first.keyboard.press("Enter");
    await until(first, "the seek", () => document.querySelector(".seeks li strong")?.textContent === "narae");
    const second = await visit(browser, server.url + "/?games", { page: await tab(first.browserContext()) });
    await until(second, "the same seek", () => document.querySelector(".seeks li strong")?.textContent === "narae");
    assert.equal(await text(second, "details.identity summary"), "narae");
    await press(second, "Withdraw");
    await first.bringToFront();
    await until(first, "no seek", () => document.querySelector(".seeks li") === null);
    assert.deepEqual(await Promise.all([first, second].map(isCalm)), [true, true]);
    assert.deepEqual([...first.faults, ...second.faults], []);
});

test("a tab that the browser has frozen is left alone", async () => {
    const match = await meet("dasol"), { terminal, game } = match;
    const first = await open(match);
    await plies(first, 0);
    const second = await open(match, await tab(first.browserContext()));
    await plies(second, 0);
    const session = await first.createCDPSession();
    await session.send("Page.setWebLifecycleState", { state: "frozen" });
    await second.reload();
    await plies(second, 0);
    await move(second, terminal, "A3", "A4");
    await session.send("Page.setWebLifecycleState", { state: "active" });
    await terminal.ask("resign game=" + game, /^OK resign/);
});

test("when the server comes back, all tabs do", async () => {
    const match = await meet("maru"), { terminal, game } = match;
    const first = await open(match);
    await plies(first, 0);
    const second = await open(match, await tab(first.browserContext()));
    await plies(second, 0);
    await server.kill();
    for (const page of [first, second]) await until(page, "the banner", () => !document.querySelector(".banner").hidden);
    await server.start();
    for (const page of [first, second]) await until(page, "no banner", () => document.querySelector(".banner").hidden);
    const token = /login name=(\S+) token=(\S+)/.exec(terminal.lines.join("\n")), back = await new Player(server).connect();
    await back.ask(`login ${token[1]} token=${token[2]}`, /^OK login/);
    await back.ask(`resume ${game} 0`, /^OK resume/);
    await move(second, back, "A3", "A4");
    await plies(first, 1);
    await plies(second, 1);
});
