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
import { CLUSTERS, ITEMS } from './texts'

export interface StoredThing {
  id: string
  title: string
  about: string
  /** Empty until it is loaded. */
  amount: Promise<string>
  save?: { title: string; button: string; run(): void }
  remove: Removal
}

export interface Removal {
  title: string
  /** Names what is lost. */
  question: { title: string; text: string }
  /** Button, and the notice afterwards. */
  words: { button: string; done: string }
  /** @throws Error when it cannot be removed */
  run(): Promise<void> | void
  /** Reloads, because the page would store its copy in memory again. */
  loadsAgain?: boolean
}

export interface StoredGroup {
  id: string
  title: string
  things: StoredThing[]
}

const REMOVED = { button: ITEMS.remove, done: ITEMS.removed }

const count = (number: number, what: string): string =>
  `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`

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
      title: CLUSTERS.title,
      things: workspaces.map((workspace) =>
        cluster(workspace, bytesOf(ofWorkspace(all, workspace))),
      ),
    },
    { id: 'small', title: ITEMS.settings, things: smallThings(all).map(small) },
    { id: 'offline', title: ITEMS.offline, things: copied ? [offline()] : [] },
  ]
  return groups.filter(({ things }) => things.length > 0)
}

function cluster(workspace: string, otherBytes: number): StoredThing {
  const shown = workspace === WORKSPACE
  const title = titleOf(workspace)
  return {
    id: `cluster-${workspace}`,
    title,
    about: shown ? CLUSTERS.current : CLUSTERS.other,
    amount: amountOf(workspace, otherBytes),
    save: {
      title: CLUSTERS.export(title),
      button: ITEMS.export,
      run: () => void exportCluster(workspace),
    },
    remove: shown ? emptying(title) : removing(workspace, title),
  }
}

/** The shown cluster is reset, because its server runs. */
const emptying = (title: string): Removal => ({
  title: CLUSTERS.reset(title),
  question: {
    title: CLUSTERS.resetQuestion(title),
    text: CLUSTERS.resetConsequence,
  },
  words: { button: CLUSTERS.resetConfirm, done: CLUSTERS.resetDone },
  run: async () => {
    useView.getState().set({ selected: undefined })
    await resetCluster()
  },
})

const removing = (workspace: string, title: string): Removal => ({
  title: CLUSTERS.remove(title),
  question:
    workspace === FIRST_WORKSPACE
      ? { title: CLUSTERS.removeCluster(title), text: CLUSTERS.clusterConsequence }
      : { title: CLUSTERS.removeWorkspace(title), text: CLUSTERS.workspaceConsequence },
  words: REMOVED,
  run: () => useWorkspaces.getState().remove(workspace),
})

async function amountOf(workspace: string, otherBytes: number): Promise<string> {
  const size = await measureWorkspace(workspace).catch(() => undefined)
  if (size === undefined)
    return otherBytes > 0 ? CLUSTERS.onlyFiles(sizeText(otherBytes)) : CLUSTERS.empty
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
      title: ITEMS.saveCopy(title),
      button: ITEMS.saveCopyButton,
      run: () =>
        download(`kubetab-${id}.json`, `${JSON.stringify(copy(), null, 2)}\n`, 'application/json'),
    },
    remove: {
      title: ITEMS.removeItem(title),
      question: {
        title: ITEMS.question(title),
        text: ITEMS.consequence(about),
      },
      words: REMOVED,
      run: () => removeItems(things),
      loadsAgain: true,
    },
  }
}

const offline = (): StoredThing => ({
  id: 'offline',
  title: ITEMS.appFiles,
  about: ITEMS.appFilesAbout,
  amount: offlineCopy().then(({ files, bytes }) => `${count(files, 'file')}, ${sizeText(bytes)}`),
  remove: {
    title: ITEMS.removeOffline,
    question: {
      title: ITEMS.offlineQuestion,
      text: ITEMS.offlineConsequence,
    },
    words: REMOVED,
    run: removeOfflineCopy,
  },
})
