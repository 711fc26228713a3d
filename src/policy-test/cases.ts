import { isJsonObject, type Json, type JsonObject } from '../engine/core/object'
import { TestSetError } from './test-set-error'
import type {
  DocumentReference,
  Expectation,
  ExpectedCause,
  ExpectedFailure,
  TestCase,
  TestedOperation,
  TestUser,
} from './types'

type Find = (reference: DocumentReference) => JsonObject | undefined

/** @param find finds a document of the set @throws TestSetError */
export function readCases(document: JsonObject, place: string, find: Find): TestCase[] {
  const top = new Members(document, place)
  top.only('apiVersion', 'kind', 'metadata', 'cases')
  return top
    .list('cases')
    .map((entry, index) => readCase(entry, `${place}, cases[${index}]`, index, find))
}

const OPERATIONS: readonly string[] = ['CREATE', 'UPDATE', 'DELETE']

function readCase(entry: Json, place: string, index: number, find: Find): TestCase {
  const members = Members.of(entry, place)
  members.only(
    'name',
    'operation',
    'subresource',
    'user',
    'object',
    'objectRef',
    'oldObject',
    'oldObjectRef',
    'expect',
  )
  const name = members.text('name') ?? `case ${index + 1}`
  const object = objectIn(members, 'object', find)
  const oldObject = objectIn(members, 'oldObject', find)
  const operation = members.text('operation') ?? (oldObject === undefined ? 'CREATE' : 'UPDATE')
  if (!OPERATIONS.includes(operation))
    throw members.wrong('operation', `one of ${OPERATIONS.join(', ')} is expected`)
  if (operation !== 'DELETE' && object === undefined)
    throw members.wrong('object', 'an object is expected')
  // Without `oldObject`, an updated or deleted object exists unchanged.
  const before = oldObject ?? (operation === 'CREATE' ? undefined : object)
  if (operation === 'DELETE' && before === undefined)
    throw members.wrong('oldObject', 'an object is expected')
  return {
    name,
    operation: operation as TestedOperation,
    subresource: members.text('subresource') ?? '',
    user: members.inner('user', readUser),
    object: operation === 'DELETE' ? undefined : object,
    oldObject: before,
    expect: members.inner('expect', readExpectation),
  }
}

/** An inline object, or a reference to a document of the set. */
function objectIn(
  members: Members,
  member: 'object' | 'oldObject',
  find: Find,
): JsonObject | undefined {
  const reference = members.inner(`${member}Ref`, (inner) => {
    inner.only('apiVersion', 'kind', 'name', 'namespace')
    const [kind, name] = [inner.text('kind'), inner.text('name')]
    if (kind === undefined || name === undefined)
      throw inner.wrong('kind', 'kind and name are expected')
    return given<DocumentReference>({
      kind,
      name,
      apiVersion: inner.text('apiVersion'),
      namespace: inner.text('namespace'),
    })
  })
  if (reference === undefined) return members.object(member)
  const found = find(reference)
  if (found === undefined)
    throw members.wrong(
      `${member}Ref`,
      `there is no ${reference.kind} ${reference.name} in the set`,
    )
  return found
}

function readUser(members: Members): TestUser {
  members.only('name', 'uid', 'groups', 'extra')
  const extra = members.inner('extra', (inner) =>
    Object.fromEntries(inner.names().map((name) => [name, inner.texts(name) ?? []])),
  )
  return given<TestUser>({
    name: members.text('name') ?? 'system:anonymous',
    uid: members.text('uid'),
    groups: members.texts('groups'),
    extra,
  })
}

function readExpectation(members: Members): Expectation {
  members.only(
    'allowed',
    'message',
    'code',
    'reason',
    'warnings',
    'auditAnnotations',
    'validations',
    'causes',
  )
  return given<Expectation>({
    allowed: members.truth('allowed'),
    message: members.text('message'),
    code: members.number('code'),
    reason: members.text('reason'),
    warnings: members.texts('warnings'),
    auditAnnotations: members.inner('auditAnnotations', (inner) =>
      Object.fromEntries(inner.names().map((name) => [name, inner.text(name) ?? ''])),
    ),
    validations: members.inners('validations', (inner) => {
      inner.only('policy', 'binding', 'index', 'message')
      const [policy, binding, message] = (['policy', 'binding', 'message'] as const).map((name) =>
        inner.text(name),
      )
      return given<ExpectedFailure>({ policy, binding, message, index: inner.number('index') })
    }),
    causes: members.inners('causes', (inner) => {
      inner.only('field', 'message')
      return given<ExpectedCause>({ field: inner.text('field'), message: inner.text('message') })
    }),
  })
}

/** Omits absent members. */
const given = <Shape>(
  members: { [Name in keyof Required<Shape>]: Shape[Name] | undefined },
): Shape =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Shape

class Members {
  constructor(
    private readonly members: JsonObject,
    private readonly place: string,
  ) {}

  static of(value: Json, place: string): Members {
    if (!isJsonObject(value)) throw new TestSetError(`${place}: an object is expected`)
    return new Members(value, place)
  }

  wrong(member: string, why: string): TestSetError {
    return new TestSetError(`${this.place}, ${member}: ${why}`)
  }

  only(...known: string[]): void {
    const unknown = this.names().find((name) => !known.includes(name))
    if (unknown !== undefined) throw this.wrong(unknown, `unknown; known are ${known.join(', ')}`)
  }

  names(): string[] {
    return Object.keys(this.members)
  }

  private member<Wanted extends Json>(
    name: string,
    isWanted: (value: Json) => value is Wanted,
    what: string,
  ): Wanted | undefined {
    const value = this.members[name]
    if (value === undefined || value === null) return undefined
    if (!isWanted(value)) throw this.wrong(name, `${what} is expected`)
    return value
  }

  text(name: string): string | undefined {
    return this.member(name, (value): value is string => typeof value === 'string', 'a text')
  }

  truth(name: string): boolean | undefined {
    return this.member(
      name,
      (value): value is boolean => typeof value === 'boolean',
      'true or false',
    )
  }

  number(name: string): number | undefined {
    return this.member(name, (value): value is number => Number.isInteger(value), 'a whole number')
  }

  object(name: string): JsonObject | undefined {
    return this.member(name, isJsonObject, 'an object')
  }

  list(name: string): Json[] {
    return this.member(name, (value): value is Json[] => Array.isArray(value), 'a list') ?? []
  }

  texts(name: string): string[] | undefined {
    if (this.members[name] === undefined) return undefined
    return this.list(name).map((item) => {
      if (typeof item !== 'string') throw this.wrong(name, 'a list of texts is expected')
      return item
    })
  }

  inner<Result>(name: string, read: (inner: Members) => Result): Result | undefined {
    const value = this.object(name)
    return value && read(new Members(value, `${this.place}, ${name}`))
  }

  inners<Result>(name: string, read: (inner: Members) => Result): Result[] | undefined {
    if (this.members[name] === undefined) return undefined
    return this.list(name).map((item, index) =>
      read(Members.of(item, `${this.place}, ${name}[${index}]`)),
    )
  }
}
