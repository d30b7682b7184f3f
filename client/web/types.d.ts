/* What the scripts hand to each other, for `make lint-web`; no visitor gets this file. */

type Side = "red" | "blue";
/* Points of the board. */
type Move = { from: number; to: number };
/* The key=value parts of a line. */
type Items = Record<string, string>;

/* A line of PROTOCOL.md (lines.js). */
interface Parsed {
    mark: string;
    words: string[];
    items: Items;
    human: string;
    line: string;
}

interface Answer extends Parsed {
    ok: boolean;
    block: string[];
}

type Reply = Pick<Answer, "ok" | "items" | "human" | "block"> & { move?: string };

interface Ply {
    move: string;
    piece: string;
    taken: string;
    isCheck: boolean;
}

/* What the core says of a move: it is legal, or why it is not. */
type Verdict =
    { move: string; words?: undefined } | { move?: undefined; words: string; at: string };

/* A place in the graph of an analysis. */
interface Place {
    chance: number;
    mark: "" | "?!" | "?" | "??";
    lost: number;
    best: string;
}

/* To the worker (analyse.js), and from it. */
interface Task {
    files: string;
    events: string[];
    level?: number;
    side?: string;
}
type Act = { verb: string; text: string };
type Found =
    { error: string } | { error?: undefined; percent: number; graph: Place[]; isDone?: boolean };
interface Reaction {
    error?: string;
    events?: string[];
    answer?: { ok: boolean; move?: string };
}

/* The functions of wasm.h and its companions. */
interface Calls {
    memory: WebAssembly.Memory;
    _initialize(): void;
    page_new(): number;
    page_room(page: number, size: number): number;
    page_answer(page: number): number;
    page_clear(page: number): void;
    page_apply(page: number): number;
    page_state(page: number, ply: number): void;
    page_plies(page: number, from: number): void;
    page_last(page: number): void;
    page_moves(page: number): void;
    page_judge(page: number): number;
    page_manners(page: number): void;
    page_message(page: number): void;
    page_svg(page: number, ply: number, isFlipped: number): void;
    page_export(page: number, isGib: number): number;
    page_guide(page: number): number;
    page_search_new(): number;
    page_play(page: number): number;
    page_play_engine(page: number, search: number, level: number, seed: number): number;
    page_analysis_new(page: number): number;
    page_analysis_step(analysis: number): number;
    page_analysis_percent(analysis: number): number;
    page_analysis_graph(analysis: number, page: number): void;
}

/* The core, packed before the scripts (pack.sh). */
declare const PACKED_CORE: string;

/* A command that has no answer yet. */
interface Asked {
    command: string;
    done(answer: Answer | null): void;
    block: string[];
    at: number;
}

/* What a Line needs of a WebSocket. */
interface Socket {
    onmessage: ((message: { data: string }) => void) | null;
    onclose: (() => void) | null;
    ondoubt?: (() => void) | null;
    send(command: string): void;
    close(): void;
}

/* How a connection is made, and what it tells. */
interface LineCalls {
    open(): Socket;
    onOpen(greeting: Parsed): unknown;
    onNews(news: Parsed): unknown;
    onState(isOpen: boolean): unknown;
    words(line: Parsed): string;
}
