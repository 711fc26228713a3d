import type { StatefulSet } from 'kubernetes-types/apps/v1'
import { draftOf, equalJson } from '../../core/object'
import { alreadyExists, type Client } from '../runtime/client'
import type { Stored } from '../runtime/stored'
import {
  newRevision,
  nextRevision,
  type Revision,
  revisionData,
  sameData,
} from '../shared/revisions'
import { revisionHash } from '../shared/template-hash'

const HASH_LABEL = 'controller.kubernetes.io/hash'

export class SetRevisions {
  current: Revision | undefined
  update: Revision | undefined
  collisionCount: number

  constructor(
    private readonly client: Client,
    private readonly set: Stored<StatefulSet>,
  ) {
    this.collisionCount = set.status?.collisionCount ?? 0
  }

  async choose(known: Revision[]): Promise<void> {
    const { client } = this
    const template = this.set.spec?.template
    const equal = sameData(known, template)
    const last = known.at(-1)
    const revision = nextRevision(known)
    if (equal.length > 0 && last !== undefined && equal.includes(last)) this.update = last
    else if (equal.length > 0)
      this.update = await client.update<Revision>({
        ...draftOf(equal.at(-1) as Revision),
        revision,
      })
    else this.update = await this.create(revision)
    const name = this.set.status?.currentRevision
    this.current =
      (name ? known.find(({ metadata }) => metadata.name === name) : undefined) ?? this.update
  }

  private async create(revision: number): Promise<Revision> {
    const { client } = this
    const template = this.set.spec?.template
    for (;;) {
      const given = newRevision({
        owner: this.set,
        template,
        revision,
        hash: revisionHash(revisionData(template), this.collisionCount),
        hashLabel: HASH_LABEL,
      })
      try {
        return await client.create<Revision>(given)
      } catch (error) {
        if (!alreadyExists(error)) throw error
        const there = await client.get<Revision>(given)
        if (equalJson(there.data, revisionData(template))) return there
        this.collisionCount++
      }
    }
  }

  /** Keeps revisions that pods use. */
  async cleanUp(known: Revision[], ofPods: string[]): Promise<void> {
    const used = new Set([this.current?.metadata.name, this.update?.metadata.name, ...ofPods])
    const unused = known.filter(({ metadata }) => !used.has(metadata.name))
    const tooMany = unused.length - (this.set.spec?.revisionHistoryLimit ?? 10)
    for (const revision of unused.slice(0, Math.max(0, tooMany))) await this.client.delete(revision)
  }
}
