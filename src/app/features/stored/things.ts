/** All stored data of the page as values: description, size and deletion. */
import {
  hasOfflineCopy,
  measureWorkspace,
  offlineCopy,
  removeOfflineCopy,
  storedWorkspaces,
} from '../../../hosts/page/stored'
import { FIRST_WORKSPACE } from '../../../hosts/shared/paths'
import { sizeText } from '../../components/format'
import { removeItems, storedItems } from '../../state/stored'
import { useView } from '../../state/view'
import { titleOf, WORKSPACE } from '../../state/workspace'
import { download, exportCluster } from '../share/actions'
import { resetCluster } from '../share/cluster'
import { useWorkspaces } from '../workspaces/workspaces'
import { bytesOf, ofWorkspace, type SmallThing, smallThings, workspacesIn } from './small-kinds'

export interface StoredThing {
  id: string
  title: string
  about: string
  /** A short text about the amount; empty until it is loaded. */
  amount: Promise<string>
  /** Saves a copy as a file, where that makes sense. */
  save?: { title: string; run(): void }
  remove: Removal
}

export interface Removal {
  title: string
  /** The confirmation, which names what is lost. */
  question: { title: string; text: string }
  /** The label of the button, and the notice when it is done. */
  words: { button: string; done: string }
  /** @throws Error when it cannot be removed */
  run(): Promise<void> | void
  /** The page knows it by heart and would write it again. */
  loadsAgain?: boolean
}

export interface StoredGroup {
  id: string
  title: string
  things: StoredThing[]
}

const REMOVED = { button: 'Remove it', done: 'removed' }

const count = (number: number, what: string): string =>
  `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`

/** Reads all stored data. */
export async function storedGroups(): Promise<StoredGroup[]> {
  const all = storedItems()
  const workspaces = [
    ...new Set([
      FIRST_WORKSPACE,
      ...useWorkspaces.getState().names,
      ...workspacesIn(all),
      ...((await storedWorkspaces()) ?? []),
    ]),
  ]
  const copied = await hasOfflineCopy()
  const groups: StoredGroup[] = [
    {
      id: 'clusters',
      title: 'Clusters',
      things: workspaces.map((workspace) =>
        cluster(workspace, bytesOf(ofWorkspace(all, workspace))),
      ),
    },
    { id: 'small', title: 'Settings and drafts', things: smallThings(all).map(small) },
    { id: 'offline', title: 'Offline copy', things: copied ? [offline()] : [] },
  ]
  return groups.filter(({ things }) => things.length > 0)
}

function cluster(workspace: string, otherBytes: number): StoredThing {
  const shown = workspace === WORKSPACE
  const title = titleOf(workspace)
  return {
    id: `cluster-${workspace}`,
    title,
    about: shown
      ? 'The cluster of this workspace.'
      : 'Another workspace: its cluster, and its files.',
    amount: amountOf(workspace, otherBytes),
    save: { title: `Export ${title}`, run: () => void exportCluster(workspace) },
    remove: shown ? emptying(title) : removing(workspace, title),
  }
}

/** The shown cluster is reset, because its server runs. */
const emptying = (title: string): Removal => ({
  title: `Empty ${title}`,
  question: {
    title: `Empty ${title}?`,
    text: 'All objects and their history will be deleted, and the server restarts. Files are kept. Export the cluster first if you want to keep it.',
  },
  words: { button: 'Reset', done: 'reset' },
  run: async () => {
    useView.getState().set({ selected: undefined })
    await resetCluster()
  },
})

const removing = (workspace: string, title: string): Removal => ({
  title: `Remove ${title}`,
  question: {
    title: `Remove ${workspace === FIRST_WORKSPACE ? 'the cluster' : 'the workspace'} ${title}?`,
    text: `Its objects ${workspace === FIRST_WORKSPACE ? 'are' : 'and its files are'} permanently deleted. Export it first if you want to keep it.`,
  },
  words: REMOVED,
  run: () => useWorkspaces.getState().remove(workspace),
})

async function amountOf(workspace: string, otherBytes: number): Promise<string> {
  const size = await measureWorkspace(workspace).catch(() => undefined)
  if (size === undefined)
    return otherBytes > 0 ? `no cluster yet; files: ${sizeText(otherBytes)}` : 'nothing yet'
  return `${count(size.objects, 'object')}, ${count(size.versions, 'version')}, ${sizeText(size.bytes + otherBytes)}`
}

function small({ id, title, about, things }: SmallThing): StoredThing {
  const copy = () => Object.fromEntries(things.map(({ key, text }) => [key, text]))
  return {
    id: `small-${id}`,
    title,
    about,
    amount: Promise.resolve(sizeText(bytesOf(things))),
    save: {
      title: `Save a copy of ${title}`,
      run: () =>
        download(`kubetab-${id}.json`, `${JSON.stringify(copy(), null, 2)}\n`, 'application/json'),
    },
    remove: {
      title: `Remove ${title}`,
      question: {
        title: `Remove “${title}”?`,
        text: `${about} It is permanently deleted, and the page reloads.`,
      },
      words: REMOVED,
      run: () => removeItems(things),
      loadsAgain: true,
    },
  }
}

const offline = (): StoredThing => ({
  id: 'offline',
  title: 'App files',
  about: 'Its files and the server’s program, so that it opens without a network.',
  amount: offlineCopy().then(({ files, bytes }) => `${count(files, 'file')}, ${sizeText(bytes)}`),
  remove: {
    title: 'Remove the copy of the page',
    question: {
      title: 'Remove the copy of the page?',
      text: 'Until the next visit with a network, the page does not open offline.',
    },
    words: REMOVED,
    run: removeOfflineCopy,
  },
})
