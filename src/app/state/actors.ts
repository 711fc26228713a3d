import { create } from 'zustand'
import { parseTokenFile } from '../../engine/authentication/static-tokens'
import { PAGE_TOKENS } from '../../hosts/shared/tokens'
import { load, onStored, store } from './stored'
import { ownKey } from './workspace'

export interface Actor {
  name: string
  groups: string[]
  /** Without it and a certificate, requests have no credential. */
  token: string | undefined
  /** PEM, sent in a header because the page cannot use TLS. */
  certificate?: string
  /** Impersonated by the administrator, without a credential of its own. */
  impersonated?: true
  from?: 'bearer token' | 'service account' | 'client certificate' | 'shared link'
}

export const ANONYMOUS: Actor = {
  name: 'anonymous',
  groups: ['system:unauthenticated'],
  token: undefined,
}

const IN_TOKEN_FILE: Actor[] = [...parseTokenFile(PAGE_TOKENS)].map(
  ([token, { name, groups }]) => ({ name, groups, token }),
)

/** Discovery runs as an administrator, because it does not depend on the user. */
export const PAGE_ACTOR: Actor =
  IN_TOKEN_FILE.find(({ groups }) => groups.includes('system:masters')) ?? ANONYMOUS

interface ActorState {
  actors: Actor[]
  actor: Actor
  /** Empty: the server derives the manager from the client's name. */
  fieldManager: string
  actAs(name: string): void
  setFieldManager(name: string): void
  add(actor: Actor): void
  /** Adds impersonated actors of a shared scenario; keeps existing ones. */
  takeShared(shared: {
    acting: string
    fieldManager: string
    added: readonly { name: string; groups: string[] }[]
  }): void
  remove(name: string): void
}

const ACTING = ownKey('actor')
const saved = load(ACTING, { name: 'admin', fieldManager: '' })

/** Stored in this browser only: neither links nor exports contain them. */
const ADDED = ownKey('added-actors')
const allUsers = (added: readonly Actor[]): Actor[] => [...IN_TOKEN_FILE, ...added, ANONYMOUS]
const kept = (): Actor[] => load<Actor[]>(ADDED, [])

export const useActors = create<ActorState>((set, get) => {
  const keep = () => store(ACTING, { name: get().actor.name, fieldManager: get().fieldManager })
  const keepAdded = (added: Actor[]) => {
    store(ADDED, added)
    set({ actors: allUsers(added) })
  }
  const added = () => get().actors.filter(({ from }) => from !== undefined)
  const actors = allUsers(kept())
  return {
    actors,
    actor: actors.find(({ name }) => name === saved.name) ?? (actors[0] as Actor),
    fieldManager: saved.fieldManager,
    actAs(name) {
      set({ actor: get().actors.find((candidate) => candidate.name === name) ?? ANONYMOUS })
      keep()
    },
    setFieldManager(fieldManager) {
      set({ fieldManager })
      keep()
    },
    add(actor) {
      keepAdded([...added().filter(({ name }) => name !== actor.name), actor])
      if (get().actor.name === actor.name) get().actAs(actor.name)
    },
    takeShared({ acting, fieldManager, added: others }) {
      const known = new Set(get().actors.map(({ name }) => name))
      const unknown = others.filter(({ name }) => !known.has(name))
      keepAdded([
        ...added(),
        ...unknown.map(
          ({ name, groups }): Actor => ({
            name,
            groups,
            token: undefined,
            impersonated: true,
            from: 'shared link',
          }),
        ),
      ])
      get().setFieldManager(fieldManager)
      if (get().actors.some(({ name }) => name === acting)) get().actAs(acting)
    },
    remove(name) {
      keepAdded(added().filter((one) => one.name !== name))
      if (get().actor.name === name) get().actAs(PAGE_ACTOR.name)
    },
  }
})

onStored(ADDED, () => useActors.setState({ actors: allUsers(kept()) }))
