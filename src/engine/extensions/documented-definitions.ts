/**
 * Definitions with OpenAPI documents, for metrics of the changes of documents. Labels:
 * k8s.io/apiextensions-apiserver, pkg/controller/openapi and pkg/controller/openapiv3.
 */
import type { Definition } from '../kinds/apiextensions/definition'

type Reason = 'add' | 'update' | 'remove'

export interface DocumentMeter {
  documented(crd: string, reason: Reason): void
  documentedVersion(crd: string, group: string, version: string, reason: Reason): void
}

export class DocumentedDefinitions {
  /** Served versions by the name of the definition. */
  private readonly byName = new Map<string, readonly string[]>()
  /** The number of definitions by group and version. */
  private readonly counts = new Map<string, number>()

  constructor(private readonly meter: DocumentMeter) {}

  /** @param definition undefined if it is deleted, or not established */
  set(name: string, definition: Definition | undefined): void {
    const before = this.byName.get(name)
    if (definition === undefined) {
      if (before !== undefined) this.remove(name, before)
      return
    }
    const { group, versions } = definition.spec
    const served = versions.flatMap((version) =>
      version.served ? [`${group}/${version.name}`] : [],
    )
    this.meter.documented(name, before === undefined ? 'add' : 'update')
    for (const version of served)
      this.count(name, version, this.counts.has(version) ? 'update' : 'add')
    // A version that is no longer served keeps its document until the definition is deleted.
    const kept = [...(before ?? []).filter((version) => !served.includes(version)), ...served]
    for (const version of kept.filter((one) => !before?.includes(one)))
      this.counts.set(version, (this.counts.get(version) ?? 0) + 1)
    this.byName.set(name, kept)
  }

  private remove(name: string, versions: readonly string[]): void {
    this.byName.delete(name)
    this.meter.documented(name, 'remove')
    for (const version of versions) {
      this.count(name, version, 'remove')
      const left = (this.counts.get(version) ?? 0) - 1
      if (left > 0) this.counts.set(version, left)
      else this.counts.delete(version)
    }
  }

  private count(name: string, groupVersion: string, reason: Reason): void {
    const [group = '', version = ''] = groupVersion.split('/')
    this.meter.documentedVersion(name, group, version, reason)
  }
}
