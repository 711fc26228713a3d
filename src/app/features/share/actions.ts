/** Export, import, reset, and local files, with confirmations. */

import type { KubeObject } from '../../../engine/core/object'
import type { Release } from '../../../engine/releases/release'
import { FIRST_WORKSPACE } from '../../../hosts/shared/paths'
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
import { ACTIONS } from './texts'

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
    failed(ACTIONS.exportFailed)(error)
  }
}

function confirmSecrets(file: string, objects: KubeObject[], release: Release): void {
  useView.getState().set({
    question: {
      title: ACTIONS.secretsQuestion,
      text: ACTIONS.secretsConsequence,
      choices: [
        {
          title: ACTIONS.withValues,
          danger: true,
          run: () => download(file, toYamlFile(objects, release)),
        },
        {
          title: ACTIONS.withoutValues,
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

/** Reports binary files. */
async function withText(file: File, use: (text: string) => void): Promise<void> {
  const text = await file.text().catch(() => '\0')
  if (text.includes('\0')) notify(ACTIONS.notText(file.name), 'bad')
  else use(text)
}

export function importCluster(): void {
  // Only one, because each replaces the cluster.
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
        title: ACTIONS.importQuestion(objects.length, name),
        text: ACTIONS.importConsequence(release === undefined ? '' : ACTIONS.thenRuns(release)),
        choices: [
          {
            title: ACTIONS.replace,
            danger: true,
            run: () =>
              void importAll(objects, release && { settings: { release } }).then(
                () => notify(ACTIONS.imported(objects.length)),
                failed(ACTIONS.importFailed),
              ),
          },
        ],
      },
    })
  } catch (error) {
    failed(ACTIONS.notImported(name))(error)
  }
}

export function resetCluster(): void {
  useView.getState().set({
    question: {
      title: ACTIONS.resetQuestion,
      text: ACTIONS.resetConsequence,
      choices: [
        {
          title: ACTIONS.reset,
          danger: true,
          run: () => {
            useView.getState().set({ selected: undefined })
            void resetAll().then(() => notify(ACTIONS.wasReset), failed(ACTIONS.resetFailed))
          },
        },
      ],
    },
  })
}

export const openFiles = (): void => pickFiles('.yaml,.yml,.json,.ts,.js,.kubetab', true, openFile)

/** Scenarios need a confirmation; other files open in a tab. */
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
