/**
 * Compiles `src/lessons/catalog/index.yaml` into a module, so that the page parses no YAML. An
 * error in a lesson fails the build with its line.
 */
import type { Plugin } from 'vite'
import { CATALOG, lessonFiles, readLessonFile } from './lesson-files.ts'

export function lessons(): Plugin {
  return {
    name: 'lessons',
    load(id) {
      if (id !== `${CATALOG}index.yaml`) return
      const files = lessonFiles()
      for (const file of [id, ...files]) this.addWatchFile(file)
      return `export default ${JSON.stringify(files.map(readLessonFile))}`
    },
  }
}
