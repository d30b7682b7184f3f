// How the page feels to a player: what the connection does is seen, and nothing moves under the pointer.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Player, Relay, Server, begin, box, build, contrasts, openBrowser, picture, play, point, press, text, until, visit } from "./house.mjs";

const server = new Server(["--web", "play", "--name", "Hong's board", "--limits", "setup-s=600"]);
const relay = new Relay(server);
let browser;
before(async () => {
    await server.start();
    await relay.start();
    browser = await openBrowser();
});
after(async () => {
    await browser?.close();
    relay.stop();
    await server.remove();
});

const status = (page, words) => until(page, words, (wanted) => document.querySelector(".status span")?.textContent === wanted, words);
const plies = (page, count) => until(page, `${count} moves`, (n) => document.querySelector(".moves") !== null && document.querySelectorAll(".moves li").length === n, count);
const banner = (page, pattern) => until(page, String(pattern), (source) => new RegExp(source).test(document.querySelector(".banner:not([hidden])")?.textContent), pattern.source);
const focused = (page) => page.evaluate(() => document.activeElement.dataset.point ?? document.activeElement.tagName);
const early = ([name, token]) => { localStorage.setItem("janggi.name", name); localStorage.setItem("janggi.token", token); };

// A page in the seat of Red (or of side), and a terminal in the other one. The page comes by the relay.
async function seated(name, { options = "time=10m+5s", side = "red", moves = "", isSetUp = true, ...more } = {}) {
    const terminal = await new Player(server).connect(), own = await new Player(server).connect();
    await terminal.ask("login t-" + name, /^OK login/);
    const token = (await own.ask("login " + name, /^OK login name=\S+ token=(\S+)/))[1];
    const seek = (await terminal.ask(`seek side=${side === "red" ? "blue" : "red"} ${options}`, /^OK seek id=(\d+)/))[1];
    const game = (await own.ask("accept " + seek, /^OK accept game=(\d+)/))[1];
    const match = { red: side === "red" ? own : terminal, blue: side === "red" ? terminal : own, game };
    match.order = [match.red, match.blue];
    if (isSetUp) for (const player of match.order) await player.ask(`setup game=${game} NBNB`, /^OK setup/);
    if (moves !== "") await play(match, moves);
    own.close();
    const page = await visit(browser, `${relay.url}/game/${game}`, { early, earlyWith: [name, token], ...more });
    await until(page, "the board", () => document.querySelector(".board .piece"));
    if (isSetUp) await until(page, "the buttons of a player", () => document.querySelector(".actions button"));
    return { page, terminal, game, name, token, match };
}

test("another browser with the same name: the first says so, is off, and can be used again", async () => {
    const { page, terminal, game, name, token } = await seated("ara");
    const other = await visit(browser, relay.url + "/?games", { early, earlyWith: [name, token] });
    await until(other, "the front page", () => document.querySelector("main.front .invite"));
    await page.bringToFront();
    await banner(page, /Use this tab/);
    assert.ok(await page.$eval("main", (main) => main.querySelector(".side").inert && main.querySelector(".field").inert && Number(getComputedStyle(main).opacity) < 1), "the controls are visibly off");
    const clock = () => text(page, ".player.red .clock"), before = await clock();
    await new Promise((done) => setTimeout(done, 2500));
    assert.equal(await clock(), before, "a clock that nobody corrects does not run");
    await picture(page, "taken-over-1280x800");
    await press(page, "Use this tab");
    await until(page, "the game again", () => document.querySelector(".banner").hidden && !document.querySelector(".field").inert);
    await page.click(point("A3"));
    await page.click(point("A4"));
    await terminal.hear(/ move 1 red A3-A4/);
    await banner(other, /Use this tab/);
    assert.equal(await focused(page), String("A".charCodeAt(0) - 65 + 9 * 4));
    assert.deepEqual([...page.faults, ...other.faults], []);
    await terminal.ask("resign game=" + game, /^OK resign/);
});

test("a frozen line is noticed within 12 s, and play goes on when another one is there", async () => {
    const { page, terminal, game } = await seated("bitna");
    await new Promise((done) => setTimeout(done, 1000));
    relay.freeze();
    const from = Date.now();
    await banner(page, /Connection lost/);
    const tookMs = Date.now() - from;
    relay.thaw();
    console.log(`# a frozen line was noticed after ${tookMs} ms`);
    assert.ok(tookMs <= 12000, `${tookMs} ms`);
    await until(page, "no banner", () => document.querySelector(".banner").hidden);
    await page.click(point("A3"));
    await page.click(point("A4"));
    await terminal.hear(/ move 1 red A3-A4/);
    await terminal.ask("resign game=" + game, /^OK resign/);
});

test("a low clock is red while it runs", async () => {
    for (const dark of [false, true]) {
        const { page, terminal, game } = await seated("chorok" + dark, { options: "time=10s+9x19s", dark });
        await until(page, "a low clock", () => document.querySelector(".player.red .clock.low.running"));
        const [ink, back, red] = await page.$eval(".player.red .clock", (clock) => {
            const probe = document.createElement("p");
            probe.style.color = "var(--red)";
            document.body.append(probe);
            const out = [getComputedStyle(clock.firstChild).color, getComputedStyle(clock).backgroundColor, getComputedStyle(probe).color];
            probe.remove();
            return out;
        });
        assert.ok(ink === red || back === red, `${ink} on ${back}, not ${red}`);
        await picture(page, "low-clock" + (dark ? "-dark" : ""));
        await terminal.ask("resign game=" + game, /^OK resign/);
    }
});

test("neither a notice nor a challenge moves the board", async () => {
    for (const size of [{}, { width: 390, height: 844 }]) {
        const { page, terminal, game } = await seated("dasom" + (size.width ?? ""), { options: "time=3d", ...size }), before = await box(page, ".board");
        execFileSync(join(build, "janggid"), ["ctl", "--data", join(server.directory, "data"), "notice", "tea at five, and cake for everybody who stays until six"]);
        await banner(page, /tea at five/);
        assert.deepEqual(await box(page, ".board"), before);
        const rival = await new Player(server).connect();
        await rival.ask("login rival" + (size.width ?? ""), /^OK login/);
        await rival.ask(`challenge dasom${size.width ?? ""} time=10m+5s`, /^OK challenge/);
        await until(page, "the challenge", () => document.querySelector(".asking .offer"));
        assert.deepEqual(await box(page, ".board"), before);
        const over = await box(page, ".news"), { top, bottom } = before;
        if (size.width) assert.ok(over.top >= bottom || over.bottom <= top, "nor do they cover it on a phone");
        await picture(page, "notice-and-challenge-" + (size.width ?? 1280));
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling to the side");
        await page.click(".asking .offer button:last-child");
        await rival.hear(/^! gone \d+ why=declined/);
        await terminal.ask("resign game=" + game, /^OK resign/);
        assert.deepEqual(page.faults, []);
    }
});

const LONG = "a3a4 a6a5 c3c4 c6c5 e3e4 e6e5 g3g4 g6g5 i3i4 i6i5 a0a1 a9a8 i0i1 i9i8 a1a2 a8a7 i1i2 i8i7 a2a1 a7a8 i2i1 i7i8 a1a2 a8a7";

test("the newest move is in view, unless the reader has scrolled back", async () => {
    for (const size of [{}, { width: 1100, height: 620 }, { width: 390, height: 844 }]) {
        const { page, terminal, game, match } = await seated("eunbi" + (size.height ?? ""), { moves: LONG, ...size });
        const isSeen = async (when) => {
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            const list = await box(page, ".moves"), row = await box(page, ".moves li:last-child");
            assert.ok(row.top >= list.top - 1 && row.bottom <= list.bottom + 1, `${when}: ${row.top}-${row.bottom} in ${list.top}-${list.bottom}`);
        };
        await isSeen("after loading");
        await terminal.ask("draw game=" + game, /^OK draw/);
        await until(page, "the offer", () => document.querySelector(".asked .offer"));
        await isSeen("when an offer takes its room");
        await page.click(point("I1"));
        await page.click(point("I2"));
        await terminal.hear(/ move 25 red I1-I2/);
        await plies(page, 25);
        await isSeen("after a move");
        await page.$eval(".moves", (list) => { list.scrollTop = 0; });
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        await terminal.ask(`move game=${game} i8i7`, /^OK move/);
        await plies(page, 26);
        assert.equal(await page.$eval(".moves", (list) => list.scrollTop), 0, "the reader looks at the beginning");
        await page.keyboard.press("End");
        await isSeen("after the key End");
        await terminal.ask("resign game=" + game, /^OK resign/);
        match.blue.close();
    }
});

test("the last move, what can be chosen and a check stand out by 3:1, in light and dark", async () => {
    const wood = [[".wood-a", "stopColor"], [".wood-b", "stopColor"]], ivory = [[".ivory-a", "stopColor"], [".ivory-b", "stopColor"]];
    const match = await begin(server);
    await play(match, "a3a4 a6a5 a4a5");
    for (const dark of [false, true]) {
        const page = await visit(browser, `${server.url}/game/${match.game}`, { dark });
        await plies(page, 3);
        await page.click(point("B9"));
        const found = [...await contrasts(page, [[".ring.was", "stroke"], [".ring.last", "stroke"]], [...wood, ...ivory]),
                       ...await contrasts(page, [[".ring.chosen", "stroke"], [".target", "fill"]], wood)];
        assert.deepEqual(found.filter(({ ratio }) => ratio < 3), []);
        await picture(page, "last-move" + (dark ? "-dark" : ""));
        assert.deepEqual(page.faults, []);
    }
});

test("the focus is on the board after the set-up, and stays in the page in every turn", async () => {
    const { page, terminal, game } = await seated("gaon", { isSetUp: false });
    await until(page, "the line-ups", () => document.querySelector(".lineups:not([hidden]) .lineup"));
    await page.focus(".lineup:nth-child(4)");
    await page.keyboard.press("Enter");
    await terminal.hear(/ 1 setup red BNNB/);
    await until(page, "no line-ups", () => document.querySelector(".lineups").hidden);
    assert.match(await focused(page), /^\d+$/, "a point of the board has the focus");
    await terminal.ask(`setup game=${game} BNNB`, /^OK setup/);
    await status(page, "Your turn");
    await page.focus(".typing input");
    await page.keyboard.type("a3a4\n");
    await terminal.hear(/ move 1 red A3-A4/);
    await status(page, "Blue to move");
    assert.equal(await focused(page), "INPUT", "whoever types moves goes on typing");
    await terminal.ask(`draw game=${game}`, /^OK draw/);
    await until(page, "the offer", () => document.querySelector(".asked .offer"));
    await page.focus(".asked .offer button:last-child");
    await page.keyboard.press("Enter");
    await terminal.hear(/^! gone \d+ why=declined/);
    await until(page, "no offer", () => document.querySelector(".asked .offer") === null);
    assert.match(await focused(page), /^\d+$/);
    assert.deepEqual(page.faults, []);
});

test("a used link says so before it asks for a name, and leads on", async () => {
    const host = await new Player(server).connect(), friend = await new Player(server).connect();
    await host.ask("login haneul", /^OK login/);
    await friend.ask("login iseul", /^OK login/);
    const code = (await host.ask("invite time=none", /^OK invite code=(\S+)/))[1];
    const game = (await friend.ask("join " + code, /^OK join game=(\d+)/))[1];
    const page = await visit(browser, `${server.url}/join#${code}`);
    await until(page, "the refusal", () => /was already used/.test(document.querySelector("main p")?.textContent));
    assert.equal(await page.$("main form"), null);
    assert.deepEqual(await page.$$eval("main .actions a", (links) => links.map((link) => link.getAttribute("href"))), [`/game/${game}`, "/?games"]);
    await picture(page, "used-link-1280x800");
    const unknown = await visit(browser, `${server.url}/join#AAAA-BBBB`, { language: "ko-KR" });
    await until(unknown, "the refusal", () => /없는 초대이거나/.test(document.querySelector("main p")?.textContent));
    assert.deepEqual(await unknown.$$eval("main .actions a", (links) => links.map((link) => link.getAttribute("href"))), ["/?games"]);
    await picture(unknown, "unknown-link-korean");
    assert.deepEqual([...page.faults, ...unknown.faults], []);
});

// Drags or clicks, and returns what the first frame after that showed.
async function moveBy(page, way, from, to) {
    const middle = async (name) => {
        const { left, top, width, height } = await box(page, point(name));
        return [left + width / 2, top + height / 2];
    };
    await page.evaluate((kind) => {
        globalThis.drawn = new Promise((done) => addEventListener(kind, () => requestAnimationFrame(() =>
            done([...document.querySelectorAll(".grid button")].map((cell) => cell.getAttribute("aria-label")).filter((label) => /not sent|아직/.test(label))
                .concat(document.querySelector(".status span").textContent, document.querySelectorAll(".ring.last.pending").length))), { once: true }));
    }, way === "drag" ? "pointerup" : "click");
    if (way === "drag") {
        await page.mouse.move(...await middle(from));
        await page.mouse.down();
        await page.mouse.move(...await middle(to), { steps: 5 });
        await page.mouse.up();
    } else {
        await page.evaluate((first, second) => {
            document.querySelector(first).dispatchEvent(new MouseEvent("click"));
            document.querySelector(second).click();
        }, point(from), point(to));
    }
    return page.evaluate(() => globalThis.drawn);
}

const label = (page, name) => page.$eval(point(name), (cell) => cell.getAttribute("aria-label"));
const SENDING = "Your move is being sent …";

test("a move is drawn in the frame of its drop, with a mark until the server has it", async () => {
    const { page, terminal, game } = await seated("hani");
    relay.delayMs = 300;
    try {
        assert.deepEqual(await moveBy(page, "drag", "A3", "A4"), ["A4, red pawn, not sent yet", SENDING, 1]);
        await picture(page, "pending-1280x800");
        await status(page, "Blue to move");
        assert.equal(await label(page, "A4"), "A4, red pawn");
        assert.equal(await page.$(".ring.pending"), null);
        await terminal.ask(`move game=${game} a6a5`, /^OK move/);
        await status(page, "Your turn");
        assert.deepEqual(await moveBy(page, "click", "A4", "A5"), ["A5, red pawn, not sent yet", SENDING, 1]);
        await status(page, "Blue to move");
        await plies(page, 3);
    } finally {
        relay.delayMs = 0;
    }
    assert.deepEqual(page.faults, []);
    await terminal.ask("resign game=" + game, /^OK resign/);
});

test("a move that the server refuses is put back, with the reason", async () => {
    const { page, terminal, game } = await seated("jiwoo");
    relay.delayMs = 1500;
    try {
        await moveBy(page, "drag", "A3", "A4");
        await terminal.ask("resign game=" + game, /^OK resign/);
        await until(page, "the reason", () => document.querySelector(".refusal").textContent !== "");
        assert.equal(await label(page, "A3"), "A3, red pawn");
        assert.equal(await page.$(".ring.pending"), null);
        assert.equal(await text(page, ".status span"), "Red wins by resignation.");
    } finally {
        relay.delayMs = 0;
    }
    assert.deepEqual(page.faults, []);
});

test("a move without a connection waits visibly, and is sent when it is back", async () => {
    const { page, terminal, game } = await seated("kyung", { language: "ko-KR", dark: true, width: 390, height: 844 });
    relay.freeze();
    await until(page, "the loss", () => !document.querySelector(".banner").hidden);
    const [shown, words, rings] = await moveBy(page, "click", "A3", "A4");
    assert.match(shown, /^A4, .*아직 보내지 않음$/);
    assert.equal(words, "연결이 돌아오면 수를 보냅니다.");
    assert.equal(rings, 1);
    await picture(page, "pending-lost-korean-dark-390x844");
    relay.thaw();
    await terminal.hear(/ move 1 red A3-A4/);
    await plies(page, 1);
    assert.equal(await page.$(".ring.pending"), null);
    await terminal.ask("resign game=" + game, /^OK resign/);
});

test("the last ten seconds have tenths, and a sound of their own", async () => {
    const listen = ([name, token]) => {
        localStorage.setItem("janggi.name", name);
        localStorage.setItem("janggi.token", token);
        globalThis.pitches = [];
        const set = AudioParam.prototype.setValueAtTime;
        AudioParam.prototype.setValueAtTime = function (value, at) {
            if (value > 100) globalThis.pitches.push(value);
            return set.call(this, value, at);
        };
    };
    const { page, terminal, game } = await seated("danbi", { options: "time=14s", moves: "c3d3 c6d6 d3d4", early: listen, side: "blue" });
    await page.click(point("D6"));
    assert.match(await text(page, ".player.blue .clock span"), /^0:1\d$/);
    await until(page, "tenths", () => /^0:0\d\.\d$/.test(document.querySelector(".player.blue .clock span").textContent));
    await until(page, "the sound", () => globalThis.pitches.filter((pitch) => pitch === 900).length === 1);
    await page.evaluate(() => { globalThis.pitches = []; });
    await page.click(point("D5"));
    await terminal.hear(/ move 4 blue D6-D5/);
    await terminal.ask(`move game=${game} d4d5`, /^OK move/);
    await until(page, "a capture sounds deeper", () => globalThis.pitches.includes(280));
    await terminal.ask("resign game=" + game, /^OK resign/);
    assert.deepEqual(page.faults, []);
});

test("on a phone a point is 40 pixels wide, and a mark leads to what was said below the screen", async () => {
    const { page, terminal, game } = await seated("gaeul", { width: 390, height: 844 });
    const { width, height } = await box(page, point("A3"));
    assert.ok(width >= 40 && height >= 40, `${width} x ${height}`);
    await terminal.ask(`say game=${game} good luck`, /^OK say/);
    await until(page, "the mark", () => document.querySelector(".unread:not([hidden])")?.textContent === "New in the chat: 1");
    await picture(page, "unread-390x844");
    await page.click(".unread");
    await until(page, "no mark", () => document.querySelector(".unread").hidden);
    assert.ok(await page.evaluate(() => document.querySelector(".said").getBoundingClientRect().bottom <= innerHeight), "the chat is on the screen");
    await terminal.ask("resign game=" + game, /^OK resign/);
    assert.deepEqual(page.faults, []);
});
