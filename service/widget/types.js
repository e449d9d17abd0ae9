/**
 * The shapes that travel between the service and this page, for editors and readers only; nothing runs here.
 *
 * Offsets (`char_start`, `char_end`) count Unicode code points of the revision's canonical text, not UTF-16 units.
 *
 * @typedef {Object} Anchor
 * @property {?number} [page]
 * @property {?number} [paragraph]
 * @property {?string} [sheet]
 * @property {?string} [cell_range]
 * @property {?number} [slide]
 * @property {number} [char_start]
 * @property {number} [char_end]
 *
 * @typedef {Object} Standing  what says whether a revision is in force
 * @property {string} status
 * @property {?string} [effective_from]
 * @property {?string} [effective_to]
 * @property {boolean} [in_force] known to be, on the day asked about
 *
 * @typedef {Object} Reference  a passage that retrieval found; `n` is the number answers cite it by
 * @property {number} n
 * @property {string} document_id
 * @property {string} document_name
 * @property {string} revision_id
 * @property {string} revision
 * @property {?string} effective_from
 * @property {string} status
 * @property {string} chunk_id
 * @property {string[]} heading_path
 * @property {string} snippet
 * @property {number} score
 * @property {string} [issuer]
 *
 * @typedef {Object} Citation  a sentence the answer rests on; several of one passage share its `n`
 * @property {number} n
 * @property {string} document_id
 * @property {string} document_name
 * @property {string} revision_id
 * @property {string} revision
 * @property {?string} effective_from
 * @property {string} status
 * @property {string} chunk_id
 * @property {string[]} heading_path
 * @property {Anchor} anchor
 * @property {string} quote
 * @property {number} char_start
 * @property {number} char_end
 * @property {number} score
 * @property {boolean} verified
 *
 * @typedef {Object} Refusal
 * @property {string} reason
 * @property {string} message
 * @property {Reference[]} [nearest]
 * @property {string} [contact]
 *
 * @typedef {Object} StoredMessage  one item of `GET /conversations/{id}/messages`
 * @property {string} id
 * @property {"user"|"assistant"} role
 * @property {string} text
 * @property {string} created_at
 * @property {?string} [engine]
 * @property {"streaming"|"done"|"failed"|"stopped"} state
 * @property {?string} [as_of]
 * @property {Citation[]} [citations]
 * @property {Reference[]} [references]
 * @property {?Refusal} [refusal]
 * @property {string} [intent]
 * @property {?StepCard} [card]
 * @property {Chip[]} [chips]
 * @property {?string} [feedback]
 *
 * @typedef {Object} Chip  a quick reply
 * @property {string} label
 * @property {string} send what a press asks
 * @property {string} [mode] which path shall answer it
 *
 * @typedef {Object} StepCard  where a case goes and what it needs; times are working days, null when not stated
 * @property {string} case_id
 * @property {{id: string, name: string}} process
 * @property {string} version
 * @property {string} path
 * @property {CardStep[]} steps
 * @property {Material[]} materials
 * @property {?number} total_days
 * @property {Basis} basis
 * @property {{field: string, code: string, value: string, source: string}[]} values source: said, profile, derived
 * @property {{field: string, old: string, new: string}[]} changes
 * @property {string} next_action
 *
 * @typedef {Object} CardStep
 * @property {string} name
 * @property {string} role
 * @property {?number} days
 * @property {string} notes
 *
 * @typedef {Object} Material
 * @property {string} id
 * @property {string} name
 * @property {number} copies
 * @property {string} notes
 * @property {string} required_because
 * @property {?{name: string, url: ?string}} template  without a url the file is not there
 *
 * @typedef {Object} Basis  the rows that decided, and the clause they carry out
 * @property {string} table
 * @property {string[]} rows
 * @property {{column: string, text: string}[]} conditions
 * @property {{row: string, text: string}[]} [notes] what the table remarks beside them
 * @property {string} source
 * @property {?number} citation `n` of the citation of the clause, null when it is not in the library
 *
 * @typedef {Object} ConversationItem
 * @property {string} id
 * @property {string} title
 * @property {string} updated_at
 *
 * @typedef {Object} SourceBlock
 * @property {"heading"|"paragraph"|"table"|"list"|"note"} kind
 * @property {number} level
 * @property {string} text
 * @property {number} char_start
 * @property {number} char_end
 * @property {Anchor} anchor
 *
 * @typedef {Object} SourceText  the answer of `GET /documents/{id}/content`
 * @property {{id: string, title: string, knowledge_base?: string, issuer?: string, kind?: string, revisions: Revision[]}} document
 *   its revisions, the newest first
 * @property {Revision} revision
 * @property {SourceBlock[]} blocks
 *
 * @typedef {Standing & {id: string, label: string, file_name: string, supersedes: ?string}} Revision
 *
 * @typedef {Object} ComparedSide
 * @property {"heading"|"paragraph"|"table"|"list"|"note"} kind
 * @property {string} text
 * @property {{start: number, end: number}[]} marks changed words, in code points of `text`
 *
 * @typedef {Object} ComparedRow  a block beside its counterpart
 * @property {"same"|"changed"|"added"|"removed"} kind
 * @property {?ComparedSide} left null when added
 * @property {?ComparedSide} right null when removed
 *
 * @typedef {Object} Comparison  the answer of `GET /documents/{id}/comparison`
 * @property {Revision} left the older
 * @property {Revision} right
 * @property {Record<"same"|"changed"|"added"|"removed", number>} counts
 * @property {ComparedRow[]} rows
 * @property {string} note what a reader should know, "" for nothing
 *
 * @typedef {Object} StreamEvent  one server-sent event, its data parsed
 * @property {string} id
 * @property {string} event
 * @property {any} data
 */

export {};
