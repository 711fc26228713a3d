import type { ConsoleClock, Contexts, Host, Transport } from '../../../console/environment'
import { Session } from '../../../console/session'
import { type Actor, useActors } from '../../state/actors'
import { fetchRaw } from '../../state/client'
import { clusterNow } from '../../state/clock'
import { useView } from '../../state/view'
import { API_BASE, titleOf, WORKSPACE } from '../../state/workspace'
import { useEditors } from '../manifests/editors'
import { editText } from '../manifests/edits'
import { TERMINAL } from './texts'

const DEFAULT_NAMESPACE = 'default'

/** @param fixed instead of the selected user */
export const pageTransport =
  (origin: 'action' | 'page', fixed?: Actor): Transport =>
  (path, { method, headers, body, signal, context }) => {
    const { Accept: accept = 'application/json', 'Content-Type': contentType, ...others } = headers
    const actor =
      context === undefined
        ? fixed
        : useActors.getState().actors.find(({ name }) => name === context)
    return fetchRaw({
      method,
      path,
      accept,
      origin,
      headers: others,
      ...(contentType === undefined ? {} : { contentType }),
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(actor === undefined ? {} : { actor }),
    })
  }

export const pageContexts: Contexts = {
  server: new URL(API_BASE, location.href).href.replace(/\/$/, ''),
  cluster: titleOf(WORKSPACE),
  list: () =>
    useActors.getState().actors.map(({ name }) => ({
      name,
      user: name,
      namespace: useView.getState().namespace || DEFAULT_NAMESPACE,
    })),
  current: () => useActors.getState().actor.name,
  use: (name) => useActors.getState().actAs(name),
  setNamespace: (_context, namespace) => useView.getState().set({ namespace }),
}

const manifests = () => useEditors.getState().tabs.filter(({ language }) => language === 'yaml')

export const pageClock: ConsoleClock = {
  now: clusterNow,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    }),
}

/** On touch devices, the focus would open a keyboard over half of the screen. */
const hasKeyboard = (): boolean => !matchMedia('(pointer: coarse)').matches

export interface SessionScreen extends Pick<Host, 'columns' | 'write' | 'writeError' | 'clear'> {
  focus(): void
}

export function pageSession(screen: SessionScreen): Session {
  const host: Host = {
    get columns() {
      return screen.columns
    },
    write: (text) => screen.write(text),
    writeError: (text) => screen.writeError(text),
    clear: () => screen.clear?.(),
    readFile: (name) => manifests().find(({ title }) => title === name.replace(/^\.\//, ''))?.text,
    fileNames: () => manifests().map(({ title }) => title),
    openEditor(title, text, signal) {
      screen.writeError(TERMINAL.opened(title))
      const edited = editText(title, text, signal)
      if (hasKeyboard())
        void import('../editor/CodeEditor').then(({ focusEditor }) => focusEditor())
      return edited.finally(() => hasKeyboard() && screen.focus())
    },
    keepFile(title, text) {
      const id = useEditors.getState().open({ title, language: 'yaml', text })
      return useEditors.getState().tabs.find((tab) => tab.id === id)?.title ?? title
    },
  }
  return new Session({
    transport: pageTransport('action'),
    background: pageTransport('page'),
    host,
    clock: pageClock,
    contexts: pageContexts,
  })
}
