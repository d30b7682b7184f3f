/* Types of the page alone; the worker has no elements (types.d.ts). */

/* What dress() sets. */
interface Traits {
    onsubmit?: (event: SubmitEvent) => unknown;
    onkeydown?: (event: KeyboardEvent) => unknown;
    onpointerdown?: (event: PointerEvent) => unknown;
    [name: string]: string | number | boolean | null | undefined | ((event: never) => unknown);
}
type Kid = Node | string | null | undefined;
type Inside = [first?: Traits | Kid, ...kids: Kid[]];

/* What stands in the middle of the page. */
interface View {
    element: HTMLElement;
    isFront?: boolean;
    isHome?: boolean;
    close(): void;
}

/* What the board asks of its table. */
interface BoardCalls {
    onPick(point: number): void;
    mayDrag(point: number): boolean;
    onGrasp(point: number): void;
    onDrag(from: number, to: number | null): void;
}

/* What the board shows. */
interface Position {
    cells: string;
    last: Move | null;
    isCheck?: boolean;
    isPending?: boolean;
}

/* How long a side has (clock.js). */
interface Left {
    ms: number;
    periods: number;
    inPeriod: boolean;
}

/* A game against the computer: the side is the person's. */
interface Settings {
    level: number;
    rules: string;
    side: Side;
}

/* The parts of the page that are fetched when they are needed. */
interface Parts {
    after: typeof import("./after.js");
    computer: typeof import("./computer.js");
    evening: typeof import("./evening.js");
    learn: typeof import("./learn.js");
    list: typeof import("./list.js");
    people: typeof import("./people.js");
    trial: typeof import("./trial.js");
}

/* What a table speaks with: the server, or the computer at home, whose buttons are its own. */
interface Host {
    isOpen: boolean;
    isBrisk?: boolean;
    isHome?: boolean;
    thinks?: string;
    ask(command: string): Promise<Reply | null>;
    buttons?(seat: Seat, resign: HTMLElement): HTMLElement[];
    leave?(): void;
}

/* What the reader has chosen on the board. */
interface Choice {
    from: number | null;
    targets: number[];
    blocker: number | null;
}
