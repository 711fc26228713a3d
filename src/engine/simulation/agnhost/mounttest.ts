/**
 * `agnhost mounttest`: prints file system types, modes, owners and contents of files (agnhost
 * README, "mounttest").
 */
import { goQuote } from '../../schema/go-text'
import type { Builtin, ScriptState } from '../script/command'
import { FileError } from '../script/entries'
import { goModeText } from '../script/permissions'
import { flagsOf } from './flags'

const INITIAL_CONTENT = 'mount-tester new file\n'
const LOOP_SECONDS = 2
/** Magic numbers of statfs(2). */
const OVERLAY = 2_035_054_128
const EXT4 = 61_267

const FLAGS = {
  fs_type: '',
  file_mode: '',
  file_perm: '',
  file_owner: '',
  new_file_0644: '',
  new_file_0666: '',
  new_file_0660: '',
  new_file_0777: '',
  file_content: '',
  file_content_in_loop: '',
  retry_time: 180,
  break_on_expected_content: true,
}

const NEW_FILES = [
  ['new_file_0644', 0o644],
  ['new_file_0666', 0o666],
  ['new_file_0660', 0o660],
  ['new_file_0777', 0o777],
] as const

export const mounttest: Builtin = (args, state) => {
  const parsed = flagsOf(args, FLAGS)
  if (typeof parsed === 'string') return { error: `Error: ${parsed}\n`, code: 1 }
  const { values } = parsed
  state.files.umask = 0
  let isOk = true
  const each = (path: string, problem: string, show: () => string) => {
    if (path === '') return
    try {
      state.print(show(), false)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      isOk = false
      state.print(`${problem}: ${error.reason.toLowerCase()}\n`, false)
    }
  }
  const { fs_type, file_mode, file_perm, file_owner, file_content } = values
  each(fs_type, `error from statfs(${goQuote(fs_type)})`, () => fileSystemType(fs_type, state))
  for (const [flag, mode] of NEW_FILES) {
    const path = values[flag]
    each(path, `error writing new file ${goQuote(path)}: open ${path}`, () => {
      state.files.write(path, INITIAL_CONTENT, false, mode)
      state.changed()
      return contentOf(path, state)
    })
  }
  each(file_mode, `error from Stat(${goQuote(file_mode)}): stat ${file_mode}`, () => {
    const entry = present(file_mode, state)
    return `mode of file ${goQuote(file_mode)}: ${goModeText(entry.mode, entry.kind === 'directory')}\n`
  })
  each(file_perm, `error from Stat(${goQuote(file_perm)}): stat ${file_perm}`, () => {
    const { mode } = present(file_perm, state)
    return `perms of file ${goQuote(file_perm)}: ${goModeText(mode & 0o777)}\n`
  })
  each(file_owner, `error from stat(${goQuote(file_owner)})`, () => {
    const { uid = 0, gid = 0 } = present(file_owner, state)
    const path = goQuote(file_owner)
    return `owner UID of ${path}: ${uid}\nowner GID of ${path}: ${gid}\n`
  })
  each(
    file_content,
    `error reading file content for ${goQuote(file_content)}: open ${file_content}`,
    () => contentOf(file_content, state),
  )
  if (values.file_content_in_loop !== '') isOk = contentInLoop(values, state) && isOk
  return { code: isOk ? 0 : 1 }
}

function fileSystemType(path: string, { files }: ScriptState): string {
  present(path, { files })
  const mount = files.mountAt(path)
  const type = mount === undefined ? OVERLAY : mount.inMemory ? 'tmpfs' : EXT4
  return `mount type of ${goQuote(path)}: ${type}\n`
}

/** @throws FileError */
function present(path: string, { files }: Pick<ScriptState, 'files'>) {
  const entry = files.entryAt(path)
  if (entry === undefined) throw new FileError('No such file or directory', path)
  return entry
}

const contentOf = (path: string, state: ScriptState): string => {
  const text = state.files.read(path)
  if (text === undefined) throw new FileError('No such file or directory', path)
  return `content of file ${goQuote(path)}: ${text}\n`
}

/** @returns whether the last read succeeded */
function contentInLoop(
  {
    file_content_in_loop: path,
    retry_time: limit,
    break_on_expected_content: breaks,
  }: { file_content_in_loop: string; retry_time: number; break_on_expected_content: boolean },
  state: ScriptState,
): boolean {
  let isOk = true
  for (const end = state.time + limit; state.time < end; state.sleep(LOOP_SECONDS)) {
    state.step()
    try {
      state.print(contentOf(path, state), false)
      isOk = true
      if (!breaks) continue
      if (state.files.read(path) === INITIAL_CONTENT) break
      state.print(`Unexpected content. Expected: ${INITIAL_CONTENT}. Retrying`, false)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      isOk = false
      const reason = error.reason.toLowerCase()
      state.print(`Error reading file ${path}: open ${path}: ${reason}, retrying\n`, false)
    }
  }
  return isOk
}
