// The page's connection, without a browser and without a server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

const nowhere = { addEventListener() {} };
const events = {};

class Socket {
    constructor() { this.sent = []; this.isClosed = false; }
    send(command) { this.sent.push(command); }
    close() { this.isClosed = true; this.onclose?.(); }
    says(line) { this.onmessage({ data: line }); }
}

const Line = new Function("document", "addEventListener",
    ["lines.js", "connection.js"].map((name) => readFileSync(join("client", "web", name), "utf8")).join("") + "; return Line;")(
    nowhere, (name, run) => { events[name] = run; });

function visit(context) {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const line = new Line({ open: () => new Socket(), onNews() {}, onState() {}, onOpen() {}, words: ({ human }) => human });
    line.connect();
    line.socket.says('* janggi/1 server="here" : welcome');
    return line;
}

test("a connection that has become silent is asked for a sign, and closed without one", (context) => {
    const line = visit(context), socket = line.socket;
    context.mock.timers.tick(45000);
    assert.deepEqual(socket.sent, ["ping"]);
    context.mock.timers.tick(3999);
    assert.equal(socket.isClosed, false);
    context.mock.timers.tick(1);
    assert.equal(socket.isClosed, true);
});

test("within 12 s while a game runs, whenever the browser notices", (context) => {
    const line = visit(context), socket = line.socket;
    let isLost = false;
    line.calls.onState = (isOpen) => { isLost = !isOpen; };
    socket.close = () => {}; // without an answer to its close
    line.isBrisk = true;
    socket.says("! presence game=1 side=blue here=1");
    context.mock.timers.tick(4999);
    assert.deepEqual(socket.sent, []);
    context.mock.timers.tick(1);
    assert.deepEqual(socket.sent, ["ping"]);
    context.mock.timers.tick(4000);
    assert.equal(isLost, true);
    assert.equal(socket.onmessage, null, "what comes after it is not taken");
    context.mock.timers.tick(1000);
    assert.notEqual(line.socket, socket, "it connects again at once");
});

test("a command without an answer for 4 s, with nothing else from the server, ends the connection", (context) => {
    const line = visit(context), socket = line.socket;
    line.ask("move 1 a3a4");
    context.mock.timers.tick(3000);
    socket.says("! presence game=1 side=blue here=1");
    context.mock.timers.tick(3999);
    assert.equal(socket.isClosed, false);
    context.mock.timers.tick(1);
    assert.equal(socket.isClosed, true);
});

test("a connection that does not come about is tried again", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const line = new Line({ open: () => new Socket(), onNews() {}, onState() {}, onOpen() {}, words: ({ human }) => human });
    line.connect();
    const socket = line.socket;
    context.mock.timers.tick(15000);
    assert.equal(socket.isClosed, true);
    context.mock.timers.tick(1000);
    assert.notEqual(line.socket, socket);
});

test("not while the server's disk makes answers wait", (context) => {
    for (const why of ["full", "slow", "away"]) {
        const line = visit(context), socket = line.socket;
        line.ask("watchers 1");
        socket.says(`! notice why=storage-${why} : moves wait`);
        context.mock.timers.tick(600000);
        line.hurry(); // the reader comes back to the tab
        context.mock.timers.tick(30000);
        assert.deepEqual([socket.sent, socket.isClosed], [["watchers 1"], false]);
        socket.says("! notice why=storage-back : play goes on");
        socket.says("OK watchers game=1 count=0");
        context.mock.timers.tick(45000);
        assert.deepEqual(socket.sent, ["watchers 1", "ping"]);
        context.mock.timers.tick(4000);
        assert.equal(socket.isClosed, true);
        context.mock.timers.reset();
    }
});

test("a connection that dies meanwhile is given up after a quarter of an hour, or when the network is back", (context) => {
    const quarter = () => { for (let i = 0; i < 22; i++) context.mock.timers.tick(45000); };
    for (const end of [quarter, () => events.online()]) {
        const line = visit(context), socket = line.socket;
        line.ask("watchers 1");
        socket.says("! notice why=storage-full : moves wait");
        end();
        assert.equal(socket.isClosed, true);
        context.mock.timers.reset();
    }
});

test("while no answer is missing, a sign is asked for as always", (context) => {
    const line = visit(context);
    line.socket.says("! notice why=storage-full : moves wait");
    context.mock.timers.tick(45000);
    assert.deepEqual(line.socket.sent, ["ping"]);
});

test("a connection that was lost meanwhile is renewed when the network is back", (context) => {
    const line = visit(context), socket = line.socket;
    socket.says("! notice why=storage-full : moves wait");
    socket.close();
    events.online();
    assert.notEqual(line.socket, socket);
});

test("the next connection is judged anew", (context) => {
    const line = visit(context);
    line.socket.says("! notice why=storage-full : moves wait");
    line.socket.close();
    context.mock.timers.tick(20000);
    line.socket.says('* janggi/1 server="here" : welcome');
    context.mock.timers.tick(45000);
    assert.deepEqual(line.socket.sent, ["ping"]);
});
