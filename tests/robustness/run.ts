/**
 * Concurrent clients against engines that die, in simulated worlds, and a check of what they saw.
 *
 *   npm run robustness -- [--operations 1000000] [--seed 1] [--engines 2]
 *
 * A failing world is made smaller and printed; its seed repeats it.
 */
import { parseArgs } from 'node:util'
import { campaign, planOf } from './campaign'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      operations: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      engines: { type: 'string' },
    },
  })
  const begun = performance.now()
  const engines = values.engines === undefined ? {} : { engines: Number(values.engines) }
  let shown = begun
  const { tally, failure } = await campaign(
    Number(values.seed),
    Number(values.operations),
    ({ worlds, operations }) => {
      if (performance.now() - shown < 10_000) return
      shown = performance.now()
      console.log(`${worlds} worlds, ${operations} operations`)
    },
    (seed) => ({ ...planOf(seed), ...engines }),
  )
  const { worlds, operations, events, unanswered } = tally
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(
    `${operations} operations in ${worlds} worlds, ${events} events of watches, ${unanswered} requests without a response, ${seconds} s`,
  )
  if (failure === undefined) return
  console.log(`\n${failure.text}`)
  process.exitCode = 1
}

void main()
