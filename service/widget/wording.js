/** Chinese words for the service's codes, dates and places in a file. */

const STATUS = {
  active: "现行",
  superseded: "已被取代",
  withdrawn: "已作废",
  archived: "历史归档",
  draft: "草案",
  meeting: "会上原话",
};

const REFUSAL = {
  nothing_found: "没有找到相关资料",
  below_threshold: "找到的资料不足以作答",
  only_superseded: "只有已被取代的旧版本",
  not_yet_in_force: "相关规定尚未生效",
  repealed: "相关规定已经废止",
  archived: "相关资料已归档",
  conflicting_sources: "几份资料的说法互相矛盾",
  ambiguous: "问题有多种理解",
};

const ORIGIN = { said: "说的", profile: "档案", derived: "算出" };

/**
 * The calendar day here and now as YYYY-MM-DD.
 * @param {Date} [now]
 */
export function today(now = new Date()) {
  const pad = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}

/**
 * @param {?string|undefined} iso a day, or a moment whose day counts
 * @returns {string} 2025年1月1日, or "" without a date
 */
export function day(iso) {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso ?? "");
  return match ? `${match[1]}年${Number(match[2])}月${Number(match[3])}日` : "";
}

/**
 * How a revision stands on a day, as a code for the style and words for the reader. Dates decide; the status alone
 * only where the service sent neither the end nor whether it is in force.
 * @param {import("./types.js").Standing} revision
 * @param {string} [asOf] the day asked about, "" for today
 */
export function standing({ status, effective_from: from, effective_to: to, in_force: inForce }, asOf = "") {
  if (status === "meeting") return { code: status, label: STATUS.meeting };
  const onDay = asOf || today();
  const current = { code: "active", label: onDay === today() ? "现行" : "当时有效" };
  if (inForce) return current;
  if (status === "active" || status === "superseded") {
    if (from && from.slice(0, 10) > onDay) return { code: "future", label: "尚未生效" };
    if (to && to.slice(0, 10) > onDay) return current;
    if (to && status === "active") return { code: "superseded", label: "已过有效期" };
  }
  return { code: status, label: STATUS[/** @type {keyof typeof STATUS} */ (status)] ?? status };
}

/**
 * From when to when a revision is in force.
 * @param {import("./types.js").Standing} revision
 * @returns {string} 2025年1月1日起施行，2026年1月1日起失效, or "" without a date
 */
export function term({ effective_from: from, effective_to: to }) {
  const parts = [from ? `${day(from)}起施行` : "", to ? `${day(to)}起失效` : ""];
  return parts.filter(Boolean).join("，");
}

/** @param {string} reason */
export function refusalReason(reason) {
  return REFUSAL[/** @type {keyof typeof REFUSAL} */ (reason)] ?? reason;
}

/** @param {string} source where a value on a step card comes from */
export function origin(source) {
  return ORIGIN[/** @type {keyof typeof ORIGIN} */ (source)] ?? source;
}

/** @param {?number} days working days; null when no time is stated */
export function workdays(days) {
  return days === null ? "时限未注明" : `${days} 个工作日`;
}

/** @param {string} engine two names joined by + when one took over from the other */
export function engineName(engine) {
  return engine.split("+").map((name) => (name === "offline" ? "离线引擎" : name)).join(" + ");
}

/**
 * Where a passage stands in its file: 第 3 页, 第 12 段.
 * @param {Partial<import("./types.js").Anchor>|undefined} anchor
 * @returns {string[]}
 */
export function places(anchor) {
  if (!anchor) return [];
  const parts = [];
  if (anchor.page) parts.push(`第 ${anchor.page} 页`);
  if (anchor.slide) parts.push(`第 ${anchor.slide} 张幻灯片`);
  if (anchor.sheet) parts.push(`工作表「${anchor.sheet}」`);
  if (anchor.cell_range) parts.push(anchor.cell_range);
  if (anchor.paragraph) parts.push(`第 ${anchor.paragraph} 段`);
  return parts;
}

/**
 * The group a conversation is listed under.
 * @param {string} iso when it was last used
 * @param {Date} [now]
 */
export function age(iso, now = new Date()) {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const moment = new Date(iso).getTime();
  if (moment >= midnight) return "今天";
  if (moment >= midnight - 86_400_000) return "昨天";
  if (moment >= midnight - 6 * 86_400_000) return "近七天";
  return "更早";
}
