/** Who acts: the user whose token goes with each request, and the name under which fields are owned. */
import { create } from 'zustand'
import { parseTokenFile } from '../../engine/authentication/static-tokens'
import { PAGE_TOKENS } from '../../hosts/shared/tokens'
import { recall, remember } from './stored'

export interface Actor {
  name: string
  groups: string[]
  /** undefined: requests carry no credential. */
  token: string | undefined
}

export const ANONYMOUS: Actor = { name: 'anonymous', groups: ['system:unauthenticated'], token: undefined }

export const ACTORS: Actor[] = [
  ...[...parseTokenFile(PAGE_TOKENS)].map(([token, { name, groups }]) => ({ name, groups, token })),
  ANONYMOUS,
]

/** The page itself asks what is served as somebody who may: what is served does not depend on who asks. */
export const PAGE_ACTOR: Actor = ACTORS.find(({ groups }) => groups.includes('system:masters')) ?? ANONYMOUS

interface ActorState {
  actor: Actor
  /** Empty: the server derives the manager from the client's name. */
  fieldManager: string
  actAs(name: string): void
  setFieldManager(name: string): void
}

const saved = recall('actor', { name: 'admin', fieldManager: '' })

export const useActors = create<ActorState>((set, get) => {
  const keep = () => remember('actor', { name: get().actor.name, fieldManager: get().fieldManager })
  return {
    actor: ACTORS.find(({ name }) => name === saved.name) ?? (ACTORS[0] as Actor),
    fieldManager: saved.fieldManager,
    actAs(name) {
      set({ actor: ACTORS.find((candidate) => candidate.name === name) ?? ANONYMOUS })
      keep()
    },
    setFieldManager(fieldManager) {
      set({ fieldManager })
      keep()
    },
  }
})
