import type { KubeObject } from '../../../../engine/core/object'
import { useView } from '../../../state/view'
import { useEditors } from '../../manifests/editors'

/** Activates a tab with the same text. */
export async function openAsManifest(object: KubeObject): Promise<void> {
  const { asManifest } = await import('../../editor/object-lines')
  const text = asManifest(object)
  const { tabs, activate, open } = useEditors.getState()
  const same = tabs.find((tab) => tab.text === text)
  if (same) activate(same.id)
  else open({ title: `${object.metadata.name}.yaml`, language: 'yaml', text })
  useView.getState().set({ pane: 'editor' })
}
