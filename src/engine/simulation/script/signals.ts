/** What interrupts the parts of a script: thrown where it happens, caught where it ends. */

export class Exit {
  constructor(readonly code: number) {}
}
export class Return {
  constructor(readonly code: number) {}
}
/** The program runs forever, or longer than it can be interpreted. */
export class Endless {}
export class Jump {
  constructor(
    readonly where: 'break' | 'continue',
    public levels: number,
  ) {}
}
/** The kernel ends the program, which uses more memory than its limit. */
export class OutOfMemory {}
/** The program waits for a result of the network that is not known yet. */
export class Waits {
  /** @param at seconds since its start */
  constructor(readonly at: number) {}
}
