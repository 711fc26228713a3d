/**
 * Compiles the `index.yaml` of the lessons and of the incidents into modules, so that the page
 * parses no YAML. An error in a file fails the build with its line.
 */
import type { Plugin } from 'vite'
import {
  CATALOG,
  INCIDENT_CATALOG,
  incidentFiles,
  lessonChapters,
  lessonFiles,
  readIncidentFile,
  readLessonFile,
} from './lesson-files.ts'

const CATALOGS = [
  {
    index: `${CATALOG}index.yaml`,
    filesOf: lessonFiles,
    read: readLessonFile,
    more: () => `export const chapters = ${JSON.stringify(lessonChapters())}`,
  },
  {
    index: `${INCIDENT_CATALOG}index.yaml`,
    filesOf: incidentFiles,
    read: readIncidentFile,
    more: () => '',
  },
]

export function lessons(): Plugin {
  return {
    name: 'lessons',
    load(id) {
      const catalog = CATALOGS.find(({ index }) => index === id)
      if (catalog === undefined) return
      const files = catalog.filesOf()
      for (const file of [id, ...files]) this.addWatchFile(file)
      const contents = JSON.stringify(files.map((file) => catalog.read(file)))
      return `export default ${contents}\n${catalog.more()}`
    },
  }
}
