import type { KubeObject } from '../../../../engine/core/object'
import { useView } from '../../../state/view'
import { useEditors } from '../../manifests/editors'

export async function openAsManifest(object: KubeObject): Promise<void> {
  const { asManifest } = await import('../../editor/object-lines')
  openText(`${object.metadata.name}.yaml`, asManifest(object))
}

/** Activates a tab with the same text. */
export function openText(title: string, text: string): void {
  const { tabs, activate, open } = useEditors.getState()
  const same = tabs.find((tab) => tab.text === text)
  if (same) activate(same.id)
  else open({ title, language: 'yaml', text })
  useView.getState().set({ pane: 'editor' })
}
