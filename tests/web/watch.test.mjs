// Watching in a real browser.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import tls from "node:tls";
import { countBytes } from "./bytes.mjs";
import { Player, Server, begin, picture, play, staged, text, until, visit } from "./house.mjs";

const server = new Server(["--web", "watch", "--name", "Hong's <board> & friends"]);
let browser;
staged(server, (opened) => { browser = opened; });

const address = (match) => `${server.url}/game/${match.game}`;
const plies = (page, count) => until(page, `${count} moves`, (n) => document.querySelector(".moves") !== null && document.querySelectorAll(".moves li").length === n, count);
const label = (page, point) => page.$eval(`[data-point="${point}"]`, (cell) => cell.getAttribute("aria-label"));
const end = (page) => until(page, "the end", () => document.querySelector(".status.over"));

test("from the start: moves, clocks, captures, a check, the end", async () => {
    const match = await begin(server, "time=10m+5s");
    const page = await visit(browser, address(match));
    await plies(page, 0);
    assert.equal(await text(page, ".status span"), "Red to move");
    await play(match, "a3a4 a6a5 a4a5");
    await plies(page, 3);
    assert.equal(await label(page, 45), "A5, red pawn");
    assert.equal(await label(page, 27), "A3, empty");
    assert.equal(await text(page, ".player.blue .points"), "70 points");
    assert.match(await page.$eval(".player.red .taken", (taken) => taken.getAttribute("aria-label")), /^took pawn$/);
    assert.match(await text(page, ".player.red .clock"), /^(10|9):\d\d$/);
    const before = await text(page, ".player.blue .clock");
    await until(page, "the clock", (then) => document.querySelector(".player.blue .clock").textContent !== then, before);
    assert.match(await text(page, "p[aria-live=polite]"), /Red pawn A4 takes pawn A5\. Blue to move/);
    await picture(page, "watch-1280x800");
    await match.blue.ask("resign game=" + match.game, /^OK resign/);
    await end(page);
    assert.equal(await text(page, ".status span"), "Red wins by resignation.");
    assert.equal(await text(page, "[role=alert].unseen"), "Red wins by resignation.");
    assert.deepEqual(page.faults, []);
});

test("late, back and forth by keys, and the downloads", async () => {
    const match = await begin(server, "time=20m+3x40s");
    await play(match, "a3a4 a6a5 a4a5 b9c7 b0c2 i6i5");
    const page = await visit(browser, address(match));
    await plies(page, 6);
    for (const [key, status] of [["ArrowLeft", "After move 5 of 6"], ["Home", "After move 0 of 6"], ["ArrowRight", "After move 1 of 6"]]) {
        await page.keyboard.press(key);
        assert.equal(await text(page, ".status span"), status);
    }
    assert.equal(await label(page, 36), "A4, red pawn");
    await play(match, "g3g4");
    await plies(page, 7);
    assert.equal(await text(page, ".status span"), "After move 1 of 7");
    await page.keyboard.press("End");
    assert.equal(await text(page, ".status span"), "Blue to move");
    await match.red.ask("resign game=" + match.game, /^OK resign/);
    await end(page);
    await until(page, "what is fetched after a game", () => document.querySelectorAll(".files button").length === 4);
    const files = await page.evaluate(async () => {
        const found = {};
        URL.createObjectURL = (blob) => { found.blob = blob; return "#"; };
        HTMLAnchorElement.prototype.click = function () { found.name = this.download; };
        const texts = {};
        for (const button of [...document.querySelectorAll(".files button")]) {
            found.name = undefined;
            button.click();
            for (let i = 0; i < 6000 && found.name === undefined; i++) await new Promise((done) => setTimeout(done, 20));
            texts[found.name] = await found.blob.text();
        }
        return texts;
    });
    const name = "janggi-" + match.game;
    assert.deepEqual(Object.keys(files), [".svg", ".record", ".gib", ".pgn"].map((suffix) => name + suffix));
    assert.match(files[name + ".record"], /^janggi-record 1\n[^]*\nsignature=[\w-]+\n$/);
    assert.match(files[name + ".svg"], /^<svg|^<\?xml/);
    assert.match(files[name + ".gib"], /초대국자/);
    assert.match(files[name + ".pgn"], /\[Variant "Janggi"\]/);
    await picture(page, "end-1280x800");
    assert.deepEqual(page.faults, []);
});

test("kill -9: the page comes back at its event", async () => {
    const match = await begin(server);
    await play(match, "a3a4 a6a5");
    const page = await visit(browser, address(match));
    await plies(page, 2);
    const tokens = [match.red, match.blue].map((player) => /login name=(\S+) token=(\S+)/.exec(player.lines.join("\n")));
    await server.kill();
    await until(page, "the banner", () => !document.querySelector(".banner").hidden);
    await server.start();
    const red = await new Player(server).connect();
    await red.ask(`login ${tokens[0][1]} token=${tokens[0][2]}`, /^OK login/);
    await red.ask(`move game=${match.game} a4a5`, /^OK move/);
    await plies(page, 3);
    await until(page, "no banner", () => document.querySelector(".banner").hidden);
    const lost = page.faults.filter((fault) => !/WebSocket|ERR_CONNECTION|Failed to load/.test(fault));
    assert.deepEqual(lost, []);
});

test("what people write is text, whatever it is", async () => {
    const match = await begin(server);
    const page = await visit(browser, address(match)), other = await new Player(server).connect();
    await plies(page, 0);
    await other.ask("login");
    await other.ask("watch " + match.game, /^OK watch/);
    const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>${1}';
    await other.ask(`whisper game=${match.game} ${hostile}`, /^OK whisper/);
    await until(page, "the whisper", () => document.querySelector(".said .whisper"));
    assert.equal(await text(page, ".said .whisper span"), hostile);
    assert.equal(await text(page, ".home span"), "Hong's <board> & friends");
    await page.type(".talk input", "<b>well</b>");
    await page.keyboard.press("Enter");
    await other.hear(/^! whisper game=\d+ by=guest\d+ ply=0 : <b>well<\/b>$/);
    assert.equal(await page.$("main img, main script, main b b"), null);
    assert.deepEqual(page.faults, []);
});

test("keyboard only: the grid, the targets, the moves", async () => {
    const match = await begin(server);
    const page = await visit(browser, address(match));
    await plies(page, 0);
    await page.focus('.grid [tabindex="0"]');
    assert.equal(await page.$$eval('.grid [tabindex="0"]', (cells) => cells.length), 1);
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    assert.equal(await label(page, 31), "E3, red pawn, selected");
    assert.equal(await label(page, 40), "E4, empty, can go here");
    await page.keyboard.press("Escape");
    assert.equal(await label(page, 31), "E3, red pawn");
    const tree = await page.accessibility.snapshot({ interestingOnly: false });
    const roles = JSON.stringify(tree);
    for (const role of ["grid", "row", "gridcell", "main", "heading"]) assert.ok(roles.includes(`"role":"${role}"`), role);
    assert.equal((roles.match(/"role":"gridcell"/g) ?? []).length, 90);
    assert.deepEqual(page.faults, []);
});

test("a phone, 320 pixels, dark, Korean", async () => {
    const match = await begin(server, "time=20m+3x40s");
    await play(match, "a3a4 a6a5 a4a5 b9c7");
    for (const [width, height, dark, language, name] of [[390, 844, false, "en-US", "phone"], [390, 844, true, "ko-KR", "phone-dark-korean"],
                                                        [320, 640, false, "ko-KR", "narrow-korean"]]) {
        const page = await visit(browser, address(match), { width, height, dark, language });
        await plies(page, 4);
        assert.equal(await text(page, ".status span"), language === "ko-KR" ? "한 차례" : "Red to move");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling to the side");
        await picture(page, `${name}-${width}x${height}`);
        assert.deepEqual(page.faults, []);
    }
    const lying = await visit(browser, address(match), { width: 844, height: 390 });
    await plies(lying, 4);
    for (const part of [".board", ".player.red .clock", ".player.blue .clock", ".status", ".steps"])
        assert.ok(await lying.$eval(part, (each) => each.getBoundingClientRect().top >= 0 && each.getBoundingClientRect().bottom <= innerHeight), part + " is on the screen");
    await picture(lying, "phone-844x390");
});

test("forced colours and reduced motion", async () => {
    const match = await begin(server);
    await play(match, "a3a4 a6a5 a4a5");
    for (const dark of [false, true]) {
        const page = await visit(browser, address(match), { dark });
        await plies(page, 3);
        const devtools = await page.createCDPSession(), slides = () => page.$eval(".board .piece", (piece) => getComputedStyle(piece).transitionDuration);
        assert.notEqual(await slides(), "0s");
        await devtools.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }, { name: "prefers-reduced-motion", value: "reduce" },
                                                                        { name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
        assert.equal(await slides(), "0s");
        const colours = (side) => page.$eval(`.board .piece.${side}`, (piece) => [".body", "text"].map((part) => getComputedStyle(piece.querySelector(part)).fill));
        const red = await colours("red"), blue = await colours("blue");
        assert.deepEqual(red, [...blue].reverse(), "the sides are each other's opposite");
        assert.equal(new Set(red).size, 2);
        assert.equal(new Set([...red, "rgb(0, 0, 0)", "rgb(255, 255, 255)"]).size, 2, "black and white: " + red);
        const background = (row) => page.$eval(row, (each) => getComputedStyle(each).backgroundColor);
        assert.notEqual(await background(".ply[aria-current]"), await background(".ply"));
        await picture(page, dark ? "forced-colours-dark" : "forced-colours");
        assert.deepEqual(page.faults, []);
    }
});

test("without script: the figure; embedded: the board alone; the list", async () => {
    const match = await begin(server);
    const bare = await visit(browser, address(match), { script: false });
    assert.match(await text(bare, "pre"), /\[.\]|\(R\)/);
    assert.ok(await bare.$eval("noscript img", (image) => image.naturalWidth) > 400, "the picture");
    await picture(bare, "no-script");
    const korean = await visit(browser, address(match), { script: false, language: "ko-KR", width: 390, height: 844 });
    assert.equal(await text(korean, "h1"), "대국 " + match.game);
    assert.ok(await korean.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling to the side");
    await picture(korean, "no-script-korean-390x844");
    const framed = await visit(browser, address(match) + "?embed", { width: 400, height: 560 });
    await plies(framed, 0);
    assert.deepEqual(await framed.$$eval(".side > *", (parts) => parts.filter((part) => part.checkVisibility()).map((part) => part.className)), ["status red"]);
    const list = await visit(browser, server.url + "/?games");
    await until(list, "the games", () => document.querySelectorAll(".card").length >= 2);
    assert.deepEqual(await list.$$eval(".invite h2", (titles) => titles.map((each) => each.textContent)), ["Play the computer"]);
    await picture(list, "list-1280x800");
    await Promise.all([list.waitForNavigation(), list.click(`.card[href="/game/${match.game}"]`)]);
    await plies(list, 0);
    assert.deepEqual([...framed.faults, ...list.faults], []);
});

test("a first visit: three files and one upgrade, at most 100 kB", async () => {
    const match = await begin(server);
    const { files, bytes } = await countBytes(browser, address(match));
    const names = files.map((path) => path.replace(/^\/a\/\w+\//, ""));
    assert.deepEqual(names.sort(), [`/game/${match.game}`, "page.css", "page.js"]);
    assert.ok(bytes > 30000 && bytes <= 100000, `${bytes} bytes`);
    const korean = await countBytes(browser, address(match), { language: "ko-KR" });
    assert.equal(korean.files.length, 4, "and the words");
    assert.ok(korean.bytes <= 100000, `${korean.bytes} bytes in Korean`);
    console.log(`# ${bytes} bytes, ${korean.bytes} in Korean`);
});

test("a page of somebody else opens no WebSocket", async () => {
    const socket = tls.connect({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
    await once(socket, "secureConnect");
    socket.write(`GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nOrigin: https://evil.example\r\nUpgrade: websocket\r\n` +
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: janggi.1\r\n\r\n");
    const [bytes] = await once(socket, "data");
    assert.match(String(bytes), /^HTTP\/1\.1 403 /);
    socket.destroy();
    const absent = await visit(browser, server.url + "/game/999999");
    assert.equal(absent.answer.status(), 404);
    await until(absent, "the words", () => /no game 999999/.test(document.querySelector("main.sheet-page p")?.textContent));
});
