import { copyText } from '../../components/copy'
import { useActors } from '../../state/actors'
import { useClock } from '../../state/clock'
import { useCluster } from '../../state/cluster'
import type { LoggedRequest } from '../../state/logged-request'
import { requestLog } from '../../state/requests'
import { useSettings } from '../../state/settings'
import { load } from '../../state/stored'
import { notify } from '../../state/view'
import { withoutDerived } from './derived'
import { issueText } from './issue'
import { encodeScenario } from './link'
import { firstChoice, holdings, linkTo, scenarioFrom } from './offer'
import { ISSUE } from './texts'

/** The number of requests if none is selected. */
const LAST = 5
/** Issue trackers accept links of this length. */
const LONGEST_LINK = 16_000

/** @param chosen undefined: the last ones */
export async function copyAsIssue(chosen?: LoggedRequest): Promise<void> {
  try {
    const requests = chosen
      ? [chosen]
      : requestLog()
          .filter(({ origin }) => origin !== 'page')
          .slice(-LAST)
    if (requests.length === 0) {
      notify(ISSUE.noRequests, 'bad')
      return
    }
    await copyText(await report(requests), ISSUE.copied)
  } catch (error) {
    notify(ISSUE.failed(error instanceof Error ? error.message : String(error)), 'bad')
  }
}

async function report(requests: readonly LoggedRequest[]): Promise<string> {
  const held = await holdings()
  const link = linkTo(encodeScenario(scenarioFrom(held, firstChoice(held, load('sharing-as', '')))))
  const kinds = new Map<string, number>()
  for (const { kind } of withoutDerived(held.now)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const rate = useClock.getState().reading?.clock.rate ?? held.circumstances.clock.rate
  return issueText(requests, {
    release: useSettings.getState().settings?.release ?? held.circumstances.settings.release,
    actor: useActors.getState().actor,
    kinds,
    revision: useCluster.getState().revision,
    ...(rate === 1 ? {} : { clock: rate === 0 ? 'stopped' : ISSUE.speed(rate) }),
    link: link.length > LONGEST_LINK ? undefined : link,
  })
}
