/** Someone who acts turn by turn in a simulated world, and what it last knew. */
import type { ApiResponse } from '../../src/engine/http/messages'
import { type Chance, chanceOf } from './chance'
import type { State } from './history'
import { type Life, NAMES, NAMESPACES, type World } from './world'

export const TEAMS = ['', 'red', 'blue'] as const

/** What a client last knew of the objects, which may be out of date. */
class Knowledge {
  private readonly states = new Map<string, State>()
  /** The newest revision that it has seen. */
  revision = 0

  record(key: string, state: State | undefined): void {
    if (state === undefined) this.states.delete(key)
    else this.states.set(key, state)
    this.revision = Math.max(this.revision, state?.revision ?? 0)
  }

  of(key: string): State | undefined {
    return this.states.get(key)
  }
}

export const keyFor = (chance: Chance): string => `${chance.pick(NAMESPACES)}/${chance.pick(NAMES)}`

export abstract class Actor {
  protected readonly know = new Knowledge()

  constructor(
    protected readonly world: World,
    protected readonly name: string,
    private readonly count: number,
    /** Which engine it speaks to. */
    protected readonly home: number,
  ) {}

  async live(): Promise<void> {
    const { plan, schedule } = this.world
    for (let i = 0; i < this.count; i++) {
      if (plan.omitted?.has(`${this.name} ${i}`)) continue
      await schedule.turn()
      await this.act(
        await this.world.engine(this.home),
        chanceOf(plan.seed, this.name, i),
        `${this.name}.${i}`,
      )
    }
  }

  protected abstract act(life: Life, chance: Chance, token: string): Promise<void>

  /** @param lostAfter turns after which the response is lost; undefined: it is not @returns undefined if no response came */
  protected received(
    life: Life,
    received: Promise<ApiResponse>,
    lostAfter?: number,
  ): Promise<ApiResponse | undefined> {
    const ends: Promise<ApiResponse | undefined>[] = [received, life.death.then(() => undefined)]
    if (lostAfter !== undefined)
      ends.push(this.world.schedule.turns(lostAfter).then(() => undefined))
    return Promise.race(ends)
  }
}
