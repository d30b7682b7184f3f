// Parts of the page besides the board: opponents, links, alerts, sound, sleep, embedding, other pieces.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { Player, Server, begin, build, picture, play, point, press, refuse, staged, tab, text, until, visit } from "./house.mjs";

const server = new Server(["--web", "play", "--name", "Everybody's"]);
let browser;
staged(server, (opened) => { browser = opened; });

const front = async (options) => {
    const page = await visit(browser, server.url + "/?games", options);
    await until(page, "the front page", () => document.querySelector("main.front .invite"));
    return page;
};
const giveName = async (page, name) => {
    await until(page, "the question for a name", () => document.querySelector("form.typing input"));
    await page.type("form.typing input", name);
    await page.keyboard.press("Enter");
};
const atGame = (page, game) => until(page, "game " + game, (wanted) => location.pathname === "/game/" + wanted && document.querySelector(".board"), game);
const plies = (page, count) => until(page, `${count} moves`, (n) => document.querySelector(".moves") !== null && document.querySelectorAll(".moves li").length === n, count);
const login = async (name) => {
    const player = await new Player(server).connect();
    await player.ask("login " + name, /^OK login/);
    return player;
};

// A terminal and a page in a game, after the line-ups; the page plays Red.
async function seated(name, options = {}) {
    const page = await front(options), terminal = await login("t-" + name);
    await terminal.ask("seek time=none side=blue", /^OK seek/);
    await until(page, "that seek", (by) => document.querySelector(".seeks")?.textContent.includes(by), "t-" + name);
    await page.evaluate((by) => [...document.querySelectorAll(".seeks li")].find((row) => row.textContent.includes(by)).querySelector("button").click(), "t-" + name);
    await giveName(page, name);
    const game = (await terminal.hear(/^! game (\d+) 0 start red=/))[1];
    await atGame(page, game);
    await until(page, "the line-ups", () => document.querySelector(".lineups:not([hidden]) .lineup"));
    await page.click(".lineup:nth-child(4)");
    await terminal.hear(/ 1 setup red BNNB/);
    await terminal.ask(`setup game=${game} BNNB`, /^OK setup/);
    await until(page, "the first turn", () => !document.querySelector("form.typing").hidden);
    return { page, terminal, game };
}

test("the front page of a server without games, and how the pieces move", async () => {
    const page = await front(), link = await page.$(".preview a");
    await until(page, "its words", () => document.querySelector(".preview p")?.textContent === "No game is running.");
    await picture(page, "empty-1280x800");
    const opened = new Promise((done) => page.browserContext().once("targetcreated", done));
    await link.click();
    await opened;
    for (const [size, title, king, kja, check] of [[{}, "How the pieces move", "king", /Blue moves first/, /A move may not leave your own king in check\. .*is mated and loses\./],
        [{ width: 320, height: 640, language: "ko-KR", dark: true }, "기물이 가는 길", "궁", /초부터 둡니다/, /자기 궁이 장군에 놓여서는 안 됩니다\. .*외통이고 집니다\./]]) {
        const learn = await visit(browser, server.url + "/?learn", size);
        await until(learn, title, (wanted) => document.querySelector("main h1")?.textContent === wanted, title);
        const cards = await learn.$$eval(".card", (all) => all.map((card) => [card.querySelector("h2").textContent.trim(), card.querySelectorAll(".target, .ring.taken").length]));
        assert.deepEqual(cards.map(([, count]) => count), [8, 2, 12, 7, 6, 7, 4]);
        assert.equal(cards[0][0].endsWith(king), true, cards[0][0]);
        await learn.select(".learn select", "kja");
        const rules = await learn.$$eval(".learn select + div p", (all) => all.map((each) => each.textContent).join(" "));
        assert.match(rules, kja);
        assert.match(rules, check);
        assert.doesNotMatch(rules, /rules names|rook \(chariot\)|[RNBCPK] 차|함께 볼 것/);
        if (size.language) assert.doesNotMatch(rules, /[A-Za-z]{5}/);
        assert.ok(await learn.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling to the side");
        await picture(learn, "learn-" + (size.language ?? "en"));
        assert.deepEqual(learn.faults, []);
    }
    assert.deepEqual(page.faults, []);
});

test("without its words the page is English, and says so", async () => {
    const page = await visit(browser, "about:blank", { language: "ko-KR" });
    await refuse(page, /\/ko.*\.json$/);
    await page.goto(server.url + "/?games");
    await until(page, "the form", () => document.querySelector("main.front .invite h2")?.textContent === "New game");
    assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
    const korean = await front({ language: "ko-KR" });
    assert.equal(await korean.evaluate(() => document.documentElement.lang), "ko");
});

test("a part of the page that cannot be fetched leaves words, not an empty page", async () => {
    for (const [path, part] of [["/?games", /\/list\.js$/], ["/?learn", /\/learn\.js$/], ["/?learn", /\/save\.wasm$/], ["/?evening=1", /\/evening\.js$/]]) {
        const page = await visit(browser, "about:blank");
        await refuse(page, part);
        await page.goto(server.url + path);
        await until(page, "the words about " + part, () => /^A part of this page could not be fetched/.test(document.querySelector("main p")?.textContent));
        assert.deepEqual(page.faults.filter((fault) => !/Failed to load|JSHandle|Failed to fetch|CompileError/.test(fault)), []);
        page.removeAllListeners("request");
        page.on("request", (request) => request.continue());
        await page.reload();
        await until(page, "that part", () => document.querySelector("main.front .invite, main.learn .card"));
    }
});

test("a seek is seen, taken, made and withdrawn in the browser", async () => {
    const page = await front(), terminal = await login("seeker");
    await terminal.ask("seek time=1h side=red", /^OK seek id=(\d+)/);
    await until(page, "the seek", () => /seeker.*1h.*you play Blue/.test(document.querySelector(".seeks")?.textContent));
    await picture(page, "seeks-1280x800");
    await press(page, "Find an opponent");
    await giveName(page, "finder");
    await until(page, "one's own seek", () => [...document.querySelectorAll(".seeks button")].some((button) => button.textContent === "Withdraw"));
    await press(page, "Withdraw");
    await until(page, "no seek of one's own", () => ![...document.querySelectorAll(".seeks button")].some((button) => button.textContent === "Withdraw"));
    await press(page, "Find an opponent");
    await until(page, "one's own seek", () => [...document.querySelectorAll(".seeks button")].some((button) => button.textContent === "Withdraw"));
    const other = await login("taker"), seek = (await (other.say("seeks"), other.hear(/^\| seek (\d+) by=finder/)))[1];
    const game = (await other.ask("accept " + seek, /^OK accept game=(\d+)/))[1];
    await atGame(page, game);
    assert.deepEqual(page.faults, []);
});

test("a seek outlives a lost connection; one that fits is taken at once", async () => {
    const page = await front();
    await press(page, "Find an opponent");
    await giveName(page, "first");
    const own = () => until(page, "one's own seek", () => [...document.querySelectorAll(".seeks button")].some((button) => button.textContent === "Withdraw"));
    await own();
    await server.kill();
    await server.start();
    await page.waitForFunction(() => document.querySelector(".banner").hidden && document.querySelector(".seeks"));
    await own();
    const other = await front();
    await press(other, "Find an opponent");
    await giveName(other, "second");
    for (const each of [page, other]) await until(each, "the game", () => /^\/game\/\d+$/.test(location.pathname) && document.querySelector(".lineups"));
    assert.deepEqual(other.faults, []);
});

test("a challenge is accepted", async () => {
    const { page, terminal, game } = await seated("champion");
    await terminal.ask(`resign game=${game}`, /^OK resign/);
    const other = await login("rival");
    await other.ask("challenge champion time=5m side=red", /^OK challenge/);
    await until(page, "the challenge", () => /rival wants to play you: 5m · martin · you play Blue/.test(document.querySelector(".asking").textContent));
    await picture(page, "challenged");
    await press(page, "Accept");
    await atGame(page, (await other.hear(/^! game (\d+) 0 start /))[1]);
    assert.deepEqual(page.faults, []);
});

test("offers: a takeback, a draw, an adjournment", async () => {
    const { page, terminal, game } = await seated("bargain");
    await page.click(point("A3"));
    await page.click(point("A4"));
    await terminal.hear(/ move 1 red A3-A4/);
    await terminal.ask(`takeback game=${game}`, /^(OK|ERR)/);
    await terminal.ask(`move game=${game} a6a5`, /^OK move/);
    await plies(page, 2);
    await press(page, "Take back");
    const offer = (await terminal.hear(/^! offer (\d+) game=\d+ kind=takeback to=0/))[1];
    await until(page, "the offer", () => /You ask to go back to move 0/.test(document.querySelector(".asked").textContent));
    await page.focus(".offer button");
    const shown = await page.$(".offer");
    await page.evaluate(() => [...document.querySelectorAll(".tool")].find((button) => button.textContent === "Turn the board").click());
    assert.ok(await shown.evaluate((offer) => offer.isConnected && offer.contains(document.activeElement)), "the offer is not made anew");
    await terminal.ask("accept " + offer, /^OK accept/);
    await plies(page, 0);
    await press(page, "Adjourn");
    await terminal.ask("accept " + (await terminal.hear(/^! offer (\d+) game=\d+ kind=adjourn/))[1], /^OK accept/);
    await until(page, "the adjournment", () => document.querySelector(".status span").textContent === "The game is adjourned.");
    await terminal.ask(`continue game=${game}`, /^OK continue/);
    await until(page, "the offer to go on", () => document.querySelector(".offer"));
    await press(page, "Accept");
    await until(page, "the turn", () => document.querySelector(".status span").textContent === "Your turn");
    await press(page, "Offer a draw");
    await terminal.ask("accept " + (await terminal.hear(/^! offer (\d+) game=\d+ kind=draw/))[1], /^OK accept/);
    await until(page, "the end", () => document.querySelector(".status.over"));
    assert.deepEqual(page.faults, []);
});

test("the terms of an offer are shown, and what they forbid is not offered", async () => {
    const page = await front(), terminal = await login("strict");
    const seek = (await terminal.ask("seek time=none side=blue takebacks=no setup=NBBN/NBBN", /^OK seek id=(\d+)/))[1];
    await until(page, "its terms", () => /strict.*no takebacks, line-ups red NBBN, blue NBBN/.test(document.querySelector(".seeks")?.textContent));
    const waiting = await login("patient");
    await waiting.ask("play 4m+1s rules=kja range=200", /^OK play id=\d+ waiting=1/);
    await until(page, "the time that will do", () => /patient.*4m\+1s · kja.*±200/.test(document.querySelector(".seeks")?.textContent));
    await page.evaluate(() => [...document.querySelectorAll(".seeks li")].find((row) => row.textContent.includes("strict")).querySelector("button").click());
    await giveName(page, "modest");
    const game = (await terminal.hear(new RegExp("^! game (\\d+) 0 start red=modest .*takebacks=no")))[1];
    assert.notEqual(seek, undefined);
    await atGame(page, game);
    await until(page, "the first turn", () => !document.querySelector("form.typing").hidden);
    await page.click(point("A3"));
    await page.click(point("A4"));
    await terminal.hear(/ move 1 red A3-A4/);
    await plies(page, 1);
    const offered = await page.$$eval(".actions button", (buttons) => buttons.map((button) => button.textContent));
    assert.ok(offered.includes("Offer a draw") && !offered.includes("Take back"), offered.join());
    assert.deepEqual(page.faults, []);
});

test("line-ups are chosen at the same time where the terms say so", async () => {
    const page = await front(), terminal = await login("sealer");
    await terminal.ask("seek time=none side=red sealed=yes", /^OK seek id=(\d+)/);
    await until(page, "its terms", () => /sealer.*line-ups chosen in secret/.test(document.querySelector(".seeks")?.textContent));
    await page.evaluate(() => [...document.querySelectorAll(".seeks li")].find((row) => row.textContent.includes("sealer")).querySelector("button").click());
    await giveName(page, "modest-2");
    const game = (await terminal.hear(/^! game (\d+) 0 start red=sealer .*sealed=yes/))[1];
    await atGame(page, game);
    const says = (words) => until(page, words, (wanted) => document.querySelector(".status span").textContent === wanted, words);
    await says("Choose your line-up");
    await until(page, "the line-ups", () => document.querySelector(".lineups:not([hidden]) .lineup"));
    await page.click(".lineups .lineup");
    await terminal.hear(new RegExp(`^! setup game=${game} side=blue sealed=1`));
    await says("Your line-up is hidden until both have chosen");
    await until(page, "no line-ups to choose", () => document.querySelector(".lineups").hidden);
    await terminal.ask(`setup game=${game} BNNB`, /^OK setup/);
    await says("Red to move");
    assert.deepEqual(page.faults, []);
});

test("a game that ends without a move has no list of moves", async () => {
    const { page, terminal, game } = await seated("brief");
    await terminal.ask(`resign game=${game}`, /^OK resign/);
    await until(page, "the end", () => document.querySelector(".status.over"));
    assert.equal(await page.$eval(".record", (list) => list.hidden), true);
    assert.deepEqual(page.faults, []);
});

test("who watches follows the next game of the table, unless they do not want to", async () => {
    const match = await begin(server);
    const [follower, stayer] = await Promise.all([0, 1].map(() => visit(browser, `${server.url}/game/${match.game}`)));
    for (const page of [follower, stayer]) await plies(page, 0);
    await match.red.ask("resign game=" + match.game, /^OK resign/);
    await match.red.ask("rematch game=" + match.game, /^OK rematch/);
    await match.blue.ask("rematch game=" + match.game, /^OK rematch/);
    await until(stayer, "the next game", () => document.querySelector(".choice input"));
    await stayer.click(".choice input");
    const next = (await match.blue.hear(/^! rematch game=\d+ new=(\d+)/))[1];
    await atGame(follower, next);
    assert.equal(new URL(stayer.url()).pathname, "/game/" + match.game);
    await picture(stayer, "rematch-1280x800");
    await stayer.evaluate(() => document.querySelector(".actions a").click());
    await atGame(stayer, next);
    assert.deepEqual([...follower.faults, ...stayer.faults], []);
});

test("who comes to an ended game is shown the way to the next one, and stays", async () => {
    const match = await begin(server);
    await match.red.ask("resign game=" + match.game, /^OK resign/);
    await match.red.ask("rematch game=" + match.game, /^OK rematch/);
    const next = (await match.blue.ask("rematch game=" + match.game, /^OK rematch game=(\d+)/))[1];
    const page = await visit(browser, `${server.url}/game/${match.game}`, { width: 390, height: 844 });
    await until(page, "the way", () => document.querySelector(".actions a") !== null);
    assert.equal(await text(page, ".actions span"), "The players play again.");
    assert.equal(await text(page, ".status span"), "Blue wins by resignation.");
    assert.equal(await page.$(".choice input"), null);
    await picture(page, "ended-390x844");
    await page.evaluate(() => document.querySelector(".actions a").click());
    await atGame(page, next);
    assert.deepEqual(page.faults, []);
});

test("after the end: the slider and the keys", async () => {
    const match = await begin(server);
    await play(match, "a3a4 a6a5 a4a5");
    await match.red.ask("resign game=" + match.game, /^OK resign/);
    const page = await visit(browser, `${server.url}/game/${match.game}`, { width: 390, height: 844 });
    await plies(page, 3);
    await picture(page, "end-390x844");
    await page.focus(".steps input");
    for (const [key, words] of [["Home", "After move 0 of 3"], ["ArrowRight", "After move 1 of 3"], ["End", "Blue wins by resignation."]]) {
        await page.keyboard.press(key);
        assert.equal(await text(page, ".status span"), words, "slider, " + key);
    }
    await page.evaluate(() => document.activeElement.blur());
    for (const [key, words] of [["ArrowLeft", "After move 2 of 3"], ["Home", "After move 0 of 3"], ["End", "Blue wins by resignation."]]) {
        await page.keyboard.press(key);
        assert.equal(await text(page, ".status span"), words, key);
    }
    assert.deepEqual(page.faults, []);
});

test("the reader's last games are on the front page", async () => {
    const { page, terminal, game } = await seated("pastime");
    await terminal.ask("resign game=" + game, /^OK resign/);
    await until(page, "the end", () => document.querySelector(".status.over"));
    await Promise.all([page.waitForNavigation(), page.click("header .home")]);
    await until(page, "the game", (number) => document.querySelector(`.seeks a[href="/game/${number}"]`), game);
    assert.match(await page.$eval(`.seeks li:has(a[href="/game/${game}"])`, (row) => row.textContent), /^pastime – t-pastimeRed wins\d+\/\d+\/\d{4}$/);
    await picture(page, "last-games-1280x800");
    assert.deepEqual(page.faults, []);
});

test("the last games are asked for once, and again when a game has ended", async () => {
    const { page, terminal, game } = await seated("historian");
    await page.evaluateOnNewDocument(() => {
        const { send } = WebSocket.prototype, wait = setInterval;
        globalThis.asked = { "games mine": 0, history: 0 };
        WebSocket.prototype.send = function (line) {
            globalThis.asked[line]++;
            send.call(this, line);
        };
        globalThis.setInterval = (call, ms) => wait(call, ms === 10000 ? 300 : ms);
    });
    const moreLists = async (more) => until(page, "more lists", (wanted) => globalThis.asked["games mine"] >= wanted, more + await page.evaluate(() => globalThis.asked["games mine"]));
    await page.goto(server.url + "/?games");
    await until(page, "the running game", (number) => document.querySelector(`.card[href="/game/${number}"]`), game);
    await moreLists(3);
    assert.equal(await page.evaluate(() => globalThis.asked.history), 1);
    await terminal.ask("resign game=" + game, /^OK resign/);
    await until(page, "the game", (number) => document.querySelector(`.seeks a[href="/game/${number}"]`), game);
    await moreLists(3);
    assert.equal(await page.evaluate(() => globalThis.asked.history), 2);
    assert.deepEqual(page.faults, []);
});

test("links with a code: enter, and watch a private game", async () => {
    const told = execFileSync(join(build, "janggid"), ["ctl", "--data", join(server.directory, "data"), "invite", "door", "uses=3"], { encoding: "utf8" });
    const code = /code=(\S+)|([0-9A-Z]{4}-[0-9A-Z]{4})/.exec(told);
    const page = await visit(browser, `${server.url}/enter#${code[1] ?? code[2]}`);
    await giveName(page, "newcomer");
    await until(page, "the front page", () => document.querySelector("main.front .invite"));
    assert.equal(await text(page, "details.identity summary"), "newcomer");
    const red = await login("secret-red"), blue = await login("secret-blue");
    const id = (await red.ask("challenge secret-blue private=yes time=none side=red", /^OK challenge id=(\d+)/))[1];
    const game = (await blue.ask("accept " + id, /^OK accept game=(\d+)/))[1];
    const link = (await red.ask("watchlink " + game, /^OK watchlink .*code=(\S+)/))[1];
    const watcher = await visit(browser, `${server.url}/watch#${link}`);
    await until(watcher, "the private board", () => document.querySelector(".player.red .name")?.textContent === "secret-red");
    const stranger = await visit(browser, `${server.url}/game/${game}`);
    assert.equal(stranger.answer.status(), 404);
    assert.deepEqual([...page.faults, ...watcher.faults], []);
});

test("a new name: its line is to be saved, on the front page and after the game, until it was copied", async () => {
    const told = () => document.querySelector(".keep span")?.textContent;
    const page = await visit(browser, server.url + "/?games");
    await until(page, "the form", () => document.querySelector(".invite"));
    assert.equal(await page.$(".keep"), null, "a guest has nothing to save");
    await press(page, "Make a link");
    await giveName(page, "saver");
    await until(page, "the link", () => document.querySelector(".sheet-page input[readonly]"));
    assert.equal(await page.$(".keep"), null, "beside the link for a friend there is no other line to copy");
    const friend = await login("friend-of-saver");
    const code = new URL(await page.$eval(".sheet-page input[readonly]", (field) => field.value)).hash.slice(1);
    await friend.ask("join " + code, /^OK join/);
    const game = (await friend.hear(/^! game (\d+) 0 start/))[1];
    await atGame(page, game);
    assert.equal(await page.$(".keep"), null, "nor above a game");
    await friend.ask("resign game=" + game, /^OK resign/);
    await until(page, "the reminder", () => document.querySelector(".side .keep"));
    assert.match(await page.evaluate(told), /^This browser remembers you as saver,/);
    await picture(page, "reminder-1280x800");
    await page.goto(server.url + "/?games");
    await until(page, "the reminder", () => document.querySelector(".keep"));
    await page.evaluate(() => { navigator.clipboard.writeText = async (line) => { globalThis.copied = line; }; });
    await press(page, "Copy the secret line");
    await until(page, "the copy", () => globalThis.copied !== undefined);
    assert.match(await page.evaluate(() => globalThis.copied), /^login saver token=\S{20,}$/);
    await page.reload();
    await until(page, "the name", () => document.querySelector("details.identity summary")?.textContent === "saver");
    assert.equal(await page.$(".keep"), null, "it was copied");
    assert.deepEqual(page.faults, []);
});

test("a browser that keeps nothing says so at once", async () => {
    const red = await login("host-of-lost");
    const code = (await red.ask("invite time=none side=red", /^OK invite code=(\S+)/))[1];
    await red.ask("join " + code, /^OK join waiting/);
    const page = await visit(browser, `${server.url}/join#${code}`, { width: 390, height: 844,
        early: () => { Storage.prototype.setItem = () => { throw new Error("full"); }; } });
    await giveName(page, "lost");
    await until(page, "the warning", () => /does not remember you, lost/.test(document.querySelector("body > .keeping .keep")?.textContent));
    await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("no")); });
    await press(page, "Copy the secret line");
    await until(page, "the line", () => /^login lost token=/.test(document.activeElement.value) && document.querySelector("details.identity").open);
    await picture(page, "keeps-nothing-390x844");
    assert.deepEqual(page.faults, []);
});

test("alerts: the title, and a message where the constructor works", async () => {
    const pretend = (works) => {
        const told = [];
        globalThis.told = told;
        globalThis.Notification = class {
            static permission = "default";
            static async requestPermission() { return "granted"; }
            constructor(title, options) {
                if (!works) throw new TypeError("Illegal constructor");
                told.push(title + " | " + options.body);
            }
        };
        Object.defineProperty(document, "hidden", { get: () => globalThis.isAway === true });
    };
    for (const works of [true, false]) {
        const { page, terminal, game } = await seated(works ? "alerted" : "unalerted", { early: pretend, earlyWith: works });
        await press(page, "Alerts");
        await until(page, "the button", () => [...document.querySelectorAll(".tool")].some((button) => button.textContent === "Alerts" && button.getAttribute("aria-pressed") === "true"));
        await page.evaluate(() => { globalThis.isAway = true; });
        await page.click(point("A3"));
        await page.click(point("A4"));
        await terminal.hear(/ move 1 red A3-A4/);
        await until(page, "the other's turn", () => !document.title.startsWith("● "));
        await terminal.ask(`move game=${game} a6a5`, /^OK move/);
        await until(page, "the title", () => document.title.startsWith("● "));
        const told = await page.evaluate(() => globalThis.told);
        assert.equal(told.length, works ? 1 : 0, told.join("; "));
        if (works) assert.match(told[0], /^● .* \| Your turn$/);
        assert.deepEqual(page.faults, []);
    }
});

test("sound is made, and can be turned off for good", async () => {
    const listen = () => {
        globalThis.tones = 0;
        const make = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { globalThis.tones++; return make.call(this); };
    };
    const { page, terminal, game } = await seated("drummer", { early: listen });
    const before = await page.evaluate(() => globalThis.tones);
    await page.click(point("A3"));
    await page.click(point("A4"));
    await terminal.hear(/ move 1 red A3-A4/);
    await terminal.ask(`move game=${game} a6a5`, /^OK move/);
    await until(page, "one knock for a move, two for one's turn", (count) => globalThis.tones === count + 3, before);
    await press(page, "Sound");
    await page.click(point("A4"));
    await page.click(point("A5"));
    await terminal.hear(/ move 3 red A4-A5/);
    await terminal.ask(`move game=${game} i6i5`, /^OK move/);
    await plies(page, 4);
    assert.equal(await page.evaluate(() => globalThis.tones), before + 3);
    await page.reload();
    await plies(page, 4);
    assert.equal(await page.$$eval(".tool", (tools) => tools.find((tool) => tool.textContent === "Sound").getAttribute("aria-pressed")), "false");
});

test("only a lost connection interrupts a screen reader", async () => {
    const page = await front(), said = (role) => page.$eval(`.banner [role=${role}]`, (words) => words.textContent);
    execFileSync(join(build, "janggid"), ["ctl", "--data", join(server.directory, "data"), "notice", "tea at five"]);
    await until(page, "the notice", () => /tea at five/.test(document.querySelector(".banner").textContent));
    assert.match(await said("status"), /tea at five/);
    assert.equal(await said("alert"), "");
    await server.kill();
    await until(page, "the loss", () => document.querySelector(".banner [role=alert]").textContent === "Connection lost. Trying again …");
    assert.equal(await said("status"), "");
    await picture(page, "lost-1280x800");
    await server.start();
    await until(page, "no banner", () => document.querySelector(".banner").hidden);
});

test("a phone that slept has the moves when it wakes", async () => {
    const match = await begin(server);
    const page = await visit(browser, `${server.url}/game/${match.game}`, { width: 390, height: 844 });
    await plies(page, 0);
    const devtools = await page.createCDPSession();
    await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
    await play(match, "a3a4 a6a5 a4a5");
    await server.kill();
    await server.start();
    await devtools.send("Page.setWebLifecycleState", { state: "active" });
    await plies(page, 3);
    await until(page, "no banner", () => document.querySelector(".banner").hidden);
});

// The long timers of the page wait for step(), and it is counted how often they were set and how often the page closed.
function stepLongTimers() {
    const set = setTimeout, clear = clearTimeout, timers = new Map(), close = WebSocket.prototype.close;
    let now = 0, last = 1e9;
    globalThis.setTimeout = (call, ms, ...more) => {
        if (!(ms >= 4000)) return set(call, ms, ...more);
        timers.set(++last, { call, ms, at: now + ms });
        globalThis.timersSet.push(ms);
        return last;
    };
    globalThis.clearTimeout = (id) => timers.delete(id) || clear(id);
    globalThis.step = (ms) => {
        now += ms;
        for (const [id, { call, at }] of timers) if (at <= now && timers.delete(id)) call();
    };
    WebSocket.prototype.close = function (...more) { globalThis.closes++; return close.apply(this, more); };
    globalThis.closes = 0;
    globalThis.timersSet = [];
}

test("two signs of life at once: the connection is tested, and stays when it answers", async () => {
    const match = await begin(server);
    const page = await visit(browser, `${server.url}/game/${match.game}`, { early: stepLongTimers });
    await plies(page, 0);
    await page.evaluate(() => {
        globalThis.timersSet.length = 0;
        globalThis.dispatchEvent(new Event("online"));
        document.dispatchEvent(new Event("visibilitychange"));
    });
    await until(page, "the test and its answer", () => globalThis.timersSet[0] === 4000 && globalThis.timersSet.at(-1) === 5000);
    await page.evaluate(() => globalThis.step(4500));
    assert.equal(await page.evaluate(() => globalThis.closes), 0);
    await page.evaluate(() => { /* silence: the page tests once more, and nothing answers in time */
        globalThis.step(1000);
        globalThis.step(4000);
    });
    assert.equal(await page.evaluate(() => globalThis.closes), 1, "a dead connection is closed");
});

test("inside a page of somebody else: the board alone, as a guest", async () => {
    const { page, terminal, game } = await seated("framed");
    const host = createServer((request, answer) => answer.setHeader("Content-Type", "text/html").end(
        `<!doctype html><title>blog</title><iframe width="400" height="620" src="${server.url}/game/${game}${request.url.slice(1)}"></iframe>`));
    await new Promise((done) => host.listen(0, "127.0.0.1", done));
    const blog = await tab(page.browserContext());
    await blog.goto(`http://127.0.0.1:${host.address().port}/?embed`);
    const frame = await (await blog.waitForSelector("iframe")).contentFrame();
    await frame.waitForSelector(".embed .board");
    assert.deepEqual(await frame.$$eval(".embed button:not(.grid button), .embed input, .embed select", (parts) => parts.filter((part) => part.checkVisibility()).length), 0);
    assert.equal(await frame.$eval(".status span", (words) => words.textContent), "Red to move");
    await terminal.ask("watchers " + game, /^\| watcher guest/);
    await blog.screenshot({ path: join(build, "web-pictures", "embedded.png") });
    await blog.goto(`http://127.0.0.1:${host.address().port}/`);
    const refused = await (await blog.waitForSelector("iframe")).contentFrame();
    assert.equal(await refused.$(".board, main"), null);
    host.close();
});

test("hanja, hangul, letters; dark and Korean", async () => {
    const match = await begin(server, "time=20m+3x40s", ["NBBN", "BNNB"]);
    await play(match, "a3a4 a6a5 a4a5 c9d7");
    const page = await visit(browser, `${server.url}/game/${match.game}`, { language: "ko-KR", dark: true });
    await plies(page, 4);
    await picture(page, "watch-dark-korean-1280x800");
    for (const [style, king] of [["letters", "K"], ["hangul", "한"], ["hanja", "漢"]]) {
        await page.select(".tools select", style);
        const words = await page.$$eval(".board .piece text", (texts) => texts.map((each) => each.textContent));
        assert.ok(words.includes(king) && words.every((each) => each.length === 1), style);
        await picture(page, "pieces-" + style);
    }
    await page.select(".tools select", "cursive");
    const brushed = await page.$$eval(".board .piece", (all) => all.map((each) => `${each.classList[1]} ${each.querySelectorAll(".brush").length} ${each.querySelectorAll("text").length}`));
    assert.deepEqual([...new Set(brushed)].sort(), ["blue 1 0", "red 0 1"], "Blue is written with a brush, Red printed");
    assert.equal(await text(page, ".player.red .badge .icon"), "漢");
    await picture(page, "pieces-cursive");
    await page.reload();
    await plies(page, 4);
    assert.equal(await page.$eval(".tools select", (select) => select.value), "cursive");
    assert.deepEqual(page.faults, []);
});
