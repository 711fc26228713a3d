/** Writes made from what was read: where somebody else wrote in between they are made anew, as kubectl does. */
import type { Answer } from '../client'
import { isOutrun } from './failure'

/**
 * @param send reads, and sends what it makes of that; undefined: there is nothing to send
 * @param most how often it is tried
 * @returns what was sent last and how often it was; whoever wrote in between each time has the last answer be a conflict
 * @throws what `send` throws
 */
export async function sentAnew<Sent extends { answer: Answer }>(
  send: () => Promise<Sent | undefined>,
  most: number,
): Promise<(Sent & { times: number }) | undefined> {
  for (let times = 1; ; times++) {
    const sent = await send()
    if (sent === undefined) return undefined
    if (!isOutrun(sent.answer) || times === most) return { ...sent, times }
  }
}
