/** Export, import, reset, and local files: each confirms before data is lost or leaves. */

import type { KubeObject } from '../../../engine/core/object'
import type { Release } from '../../../engine/releases/release'
import { FIRST_WORKSPACE } from '../../../hosts/shared/paths'
import { countText } from '../../components/format'
import { notify, useView } from '../../state/view'
import { WORKSPACE } from '../../state/workspace'
import { useEditors } from '../manifests/editors'
import { openScenarioFile } from './arrival'
import {
  exportObjects,
  importObjects as importAll,
  resetCluster as resetAll,
  settingsOf,
} from './cluster'
import { fromYamlFile, releaseOfFile, toYamlFile } from './cluster-file'
import { holdsSecrets, withoutSecretValues } from './secrets'

const failed = (what: string) => (error: unknown) =>
  notify(`${what}: ${error instanceof Error ? error.message : String(error)}`, 'bad')

export function download(name: string, text: string, type = 'application/yaml'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** @param workspace the one that is shown, if absent */
export async function exportCluster(workspace = WORKSPACE): Promise<void> {
  const file = `${workspace === FIRST_WORKSPACE ? 'cluster' : workspace}.yaml`
  try {
    const [objects, { release }] = await Promise.all([
      exportObjects(workspace),
      settingsOf(workspace),
    ])
    if (holdsSecrets(objects, [])) confirmSecrets(file, objects, release)
    else download(file, toYamlFile(objects, release))
  } catch (error) {
    failed('The export failed')(error)
  }
}

function confirmSecrets(file: string, objects: KubeObject[], release: Release): void {
  useView.getState().set({
    question: {
      title: 'Export the values of Secrets too?',
      text: 'Anyone with the file can read them. Without them, the Secrets keep their keys with empty values.',
      choices: [
        {
          title: 'With values',
          danger: true,
          run: () => download(file, toYamlFile(objects, release)),
        },
        {
          title: 'Without values',
          run: () => download(file, toYamlFile(withoutSecretValues(objects), release)),
        },
      ],
    },
  })
}

function pickFiles(accept: string, multiple: boolean, use: (file: File) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.multiple = multiple
  input.onchange = () => [...(input.files ?? [])].forEach(use)
  input.click()
}

/** Binary files are reported as such. */
async function withText(file: File, use: (text: string) => void): Promise<void> {
  const text = await file.text().catch(() => '\0')
  if (text.includes('\0')) notify(`${file.name} is not a text file`, 'bad')
  else use(text)
}

export function importCluster(): void {
  // Accepts one file only, because each replaces the cluster.
  pickFiles(
    '.yaml,.yml',
    false,
    (file) => void withText(file, (text) => confirmImport(file.name, text)),
  )
}

function confirmImport(name: string, text: string): void {
  try {
    const objects = fromYamlFile(text)
    const release = releaseOfFile(text)
    useView.getState().set({
      question: {
        title: `Replace the cluster by the ${countText(objects.length, 'object')} of ${name}?`,
        text: `All current objects will be deleted. Export the cluster first if you want to keep it.${release === undefined ? '' : ` The cluster then runs Kubernetes ${release}.`}`,
        choices: [
          {
            title: 'Replace the cluster',
            danger: true,
            run: () =>
              void importAll(objects, release && { settings: { release } }).then(
                () => notify(`${countText(objects.length, 'object')} imported`),
                failed('The import failed'),
              ),
          },
        ],
      },
    })
  } catch (error) {
    failed(`${name} cannot be imported`)(error)
  }
}

export function resetCluster(): void {
  useView.getState().set({
    question: {
      title: 'Start with a fresh cluster?',
      text: 'All objects will be deleted and the server restarts. Your files in the editor are kept.',
      choices: [
        {
          title: 'Reset the cluster',
          danger: true,
          run: () => {
            useView.getState().set({ selected: undefined })
            void resetAll().then(
              () => notify('The cluster is fresh: revision 1 and what every server has'),
              failed('The reset failed'),
            )
          },
        },
      ],
    },
  })
}

export const openFiles = (): void => pickFiles('.yaml,.yml,.json,.ts,.js,.kubetab', true, openFile)

/** Scenarios need a confirmation; other files open in a new tab. */
export function openFile(file: File): void {
  const { name } = file
  void withText(file, (text) => {
    if (name.endsWith('.kubetab')) openScenarioFile(name, text.trim())
    else
      useEditors
        .getState()
        .open({ title: name, language: /\.[tj]s$/.test(name) ? 'typescript' : 'yaml', text })
  })
}
