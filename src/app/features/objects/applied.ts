/** The manifests behind an object: without server fields, and as each manager applied it. */
import { ANNOTATION } from '../../../engine/core/names'
import type { KubeObject } from '../../../engine/core/object'
import { asManifest } from '../editor/object-lines'
import { yamlText } from '../manifests/yaml'
import { manifestOf } from '../ownership/extract'
import { ownersOf } from '../ownership/owners'
import { MANIFEST } from './texts'

export interface AppliedManifest {
  id: string
  title: string
  about: string
  text: string
}

export function appliedManifests(object: KubeObject): AppliedManifest[] {
  const applied = object.metadata.annotations?.[ANNOTATION.lastApplied]
  const appliers = ownersOf(object).filter(({ operation }) => operation === 'Apply')
  return [
    { id: '', title: MANIFEST.clean, about: MANIFEST.cleanAbout, text: asManifest(object) },
    ...appliers.map(({ id, name, subresource }) => ({
      id,
      title: MANIFEST.manager(name, subresource),
      about: MANIFEST.managerAbout,
      text: yamlText(manifestOf(object, ({ owner }) => owner.id === id)),
    })),
    ...(applied === undefined
      ? []
      : [
          {
            id: ANNOTATION.lastApplied,
            title: MANIFEST.lastApplied,
            about: MANIFEST.lastAppliedAbout,
            text: annotationText(applied),
          },
        ]),
  ]
}

/** Clients may write any text into the annotation. */
function annotationText(json: string): string {
  try {
    return yamlText(JSON.parse(json))
  } catch {
    return json
  }
}
