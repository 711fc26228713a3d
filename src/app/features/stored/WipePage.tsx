/** Runs no server and stores nothing, so no data reappears. */
import './stored.css'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import {
  hasOfflineCopy,
  removeDatabase,
  removeOfflineCopy,
  removeWorker,
  storedWorkspaces,
} from '../../../hosts/page/stored'
import { isWorkspaceName } from '../../../hosts/shared/paths'
import { broadcastWipe } from '../../../hosts/shared/wipe'
import { Icon, Mark } from '../../components/Icon'
import { BASE } from '../../state/base'
import { load, removeItems, storedItems } from '../../state/stored'
import { WIPE } from './texts'
import { isWipeConfirmed } from './wipe'

interface Step {
  title: string
  /** @throws Error when it cannot be removed */
  remove(): Promise<void> | void
  isLeft(): Promise<boolean> | boolean
}

/** For browsers that do not list databases; localStorage is cleared later. */
const workspaces = async (): Promise<string[]> =>
  (await storedWorkspaces()) ?? ['', ...load<string[]>('workspaces', []).filter(isWorkspaceName)]

const STEPS: readonly Step[] = [
  {
    title: WIPE.clusters,
    remove: async () => {
      for (const workspace of await workspaces()) await removeDatabase(workspace)
    },
    isLeft: async () => ((await storedWorkspaces()) ?? []).length > 0,
  },
  {
    title: WIPE.settings,
    remove: () => removeItems(storedItems()),
    isLeft: () => storedItems().length > 0,
  },
  {
    title: WIPE.offline,
    remove: removeOfflineCopy,
    isLeft: hasOfflineCopy,
  },
  { title: WIPE.worker, remove: () => removeWorker(BASE), isLeft: () => false },
]

/** `there` for data that should stay. */
type Outcome = 'gone' | 'there' | { failure: string }

async function outcomeOf({ remove, isLeft }: Step, agreed: boolean): Promise<Outcome> {
  try {
    if (agreed) await remove()
    if (!(await isLeft())) return 'gone'
    return agreed ? { failure: WIPE.reappeared } : 'there'
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

async function removeAll(agreed: boolean): Promise<Outcome[]> {
  if (agreed) broadcastWipe()
  const outcomes: Outcome[] = []
  for (const step of STEPS) outcomes.push(await outcomeOf(step, agreed))
  return outcomes
}

export function showWipePage(root: HTMLElement): void {
  const agreed = isWipeConfirmed()
  document.title = WIPE.pageTitle
  createRoot(root).render(<WipePage agreed={agreed} />)
}

function headingOf(outcomes: readonly Outcome[] | undefined): string {
  if (outcomes === undefined) return WIPE.removing
  if (outcomes.every((outcome) => outcome === 'gone')) return WIPE.removed
  return outcomes.includes('there') ? WIPE.found : WIPE.incomplete
}

function WipePage({ agreed }: { agreed: boolean }) {
  const [outcomes, setOutcomes] = useState<Outcome[]>()
  const run = (remove: boolean) => {
    setOutcomes(undefined)
    void removeAll(remove).then(setOutcomes)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => run(agreed), [])
  const failed = outcomes?.some((outcome) => typeof outcome === 'object') ?? false
  return (
    <main className="wipe-page">
      <p className="brand">
        <Mark /> {WIPE.brand}
      </p>
      <h1 aria-live="polite">{headingOf(outcomes)}</h1>
      {outcomes && (
        <ul className="wipe-steps">
          {STEPS.map(({ title }, index) => (
            <Line key={title} title={title} outcome={outcomes[index] ?? 'there'} />
          ))}
        </ul>
      )}
      {outcomes && (
        <>
          <p className="soft">{WIPE.after}</p>
          <p className="button-row">
            <a className="button primary" href={BASE}>
              {outcomes.includes('there') ? WIPE.open : WIPE.restart}
            </a>
            {failed && (
              <button type="button" className="button" onClick={() => run(true)}>
                {WIPE.retry}
              </button>
            )}
          </p>
        </>
      )}
    </main>
  )
}

function Line({ title, outcome }: { title: string; outcome: Outcome }) {
  const word =
    outcome === 'gone' ? WIPE.done : outcome === 'there' ? WIPE.still : WIPE.failed(outcome.failure)
  return (
    <li>
      <Icon name={outcome === 'gone' ? 'check' : 'warning'} size={14} />
      <span>
        {title} <span className="soft">· {word}</span>
      </span>
    </li>
  )
}
