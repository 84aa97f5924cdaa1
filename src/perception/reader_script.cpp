#include "perception/reader_script.hpp"

#include <string>
#include <string_view>

// What a person can see, read by a page that would rather be read differently.
//
// The problem: a page is both what we read and what we defend against. It can
// override every built-in function of its own world, hide text from the eye and
// leave it in the tree (or the other way round), insert elements between two
// looks, and nest or grow without end.
//
// The method: the script runs in an isolated world, where the page's overrides do
// not exist. One thing does reach across worlds: names. With <input name=action>,
// form.action is that input. So no property of a node is ever read by its name;
// the getters and methods are taken from the prototypes once, at the start, and
// called on the node. Styles and rectangles are objects of ours and read plainly.
//
// One walk goes over the flat tree (shadow roots, slots, frames of this origin) in
// document order with a stack of its own, so depth costs memory and no recursion.
// Each element gets a Box: its computed style and the area in which it can be
// seen. That area follows CSS: what scrolls gives its whole scrollable area, what
// clips gives its rectangle, and absolute or fixed boxes look past the ancestors
// that do not contain them. Whether a thing is seen is always the question "does
// its rectangle meet its area, and do opacity, visibility and the like allow it".
//
// Text is gathered into runs: all inline text of one block, spaces collapsed as
// rendered. Reading returns the runs. A snapshot returns elements, and uses the
// runs for the text that belongs to no element which can be acted on.
//
// Limits, all deliberate: background colours and what lies on top of text are not
// looked at, nor are filters, masks and list markers; a pseudo-element is judged by
// its style and has no rectangle; rotated boxes count with their bounding box.

namespace agentlock::perception {

namespace {

// The pristine tools, the words that we go by, and small helpers.
constexpr std::string_view kTools = R"js((() => {
'use strict';

const getter = (type, name) => {
  const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
  return (object) => get.call(object);
};
const method = (type, name) => {
  const f = type.prototype[name];
  return (object, a, b) => f.call(object, a, b);
};

const nodeType = getter(Node, 'nodeType');
const firstChild = getter(Node, 'firstChild');
const nextSibling = getter(Node, 'nextSibling');
const parentNode = getter(Node, 'parentNode');
const ownerDocument = getter(Node, 'ownerDocument');
const isConnected = getter(Node, 'isConnected');
const rootOf = method(Node, 'getRootNode');
const dataOf = getter(CharacterData, 'data');
const localName = getter(Element, 'localName');
const namespaceOf = getter(Element, 'namespaceURI');
const shadowRootOf = getter(Element, 'shadowRoot');
const slotOfElement = getter(Element, 'assignedSlot');
const slotOfText = getter(Text, 'assignedSlot');
const hasAttributes = method(Element, 'hasAttributes');
const hasAttribute = method(Element, 'hasAttribute');
const attribute = method(Element, 'getAttribute');
const matches = method(Element, 'matches');
const queryAll = method(Element, 'querySelectorAll');
const checkVisibility = method(Element, 'checkVisibility');
const boundingRect = method(Element, 'getBoundingClientRect');
const clientRects = method(Element, 'getClientRects');
const scrollIntoView = method(Element, 'scrollIntoView');
const clientLeft = getter(Element, 'clientLeft');
const clientTop = getter(Element, 'clientTop');
const clientWidth = getter(Element, 'clientWidth');
const clientHeight = getter(Element, 'clientHeight');
const scrollWidth = getter(Element, 'scrollWidth');
const scrollHeight = getter(Element, 'scrollHeight');
const scrollLeft = getter(Element, 'scrollLeft');
const scrollTop = getter(Element, 'scrollTop');
const offsetWidth = getter(HTMLElement, 'offsetWidth');
const offsetHeight = getter(HTMLElement, 'offsetHeight');
const innerText = getter(HTMLElement, 'innerText');
const isContentEditable = getter(HTMLElement, 'isContentEditable');
const hostOf = getter(ShadowRoot, 'host');
const assignedNodes = method(HTMLSlotElement, 'assignedNodes');
const documentElement = getter(Document, 'documentElement');
const bodyOf = getter(Document, 'body');
const viewOf = getter(Document, 'defaultView');
const urlOf = getter(Document, 'URL');
const titleOf = getter(Document, 'title');
const scrollingElement = getter(Document, 'scrollingElement');
const hasFocus = method(Document, 'hasFocus');
const createRange = method(Document, 'createRange');
const getSelection = method(Document, 'getSelection');
const activeInDocument = getter(Document, 'activeElement');
const activeInShadow = getter(ShadowRoot, 'activeElement');
const elementAtInDocument = method(Document, 'elementFromPoint');
const elementAtInShadow = method(ShadowRoot, 'elementFromPoint');
const byIdInDocument = method(Document, 'getElementById');
const byIdInShadow = method(ShadowRoot, 'getElementById');
const baseUri = getter(Node, 'baseURI');
const detailsOpen = getter(HTMLDetailsElement, 'open');
const labelControl = getter(HTMLLabelElement, 'control');
const optionLabel = getter(HTMLOptionElement, 'label');
const optionSelected = getter(HTMLOptionElement, 'selected');
const inputType = getter(HTMLInputElement, 'type');
const formOfInput = getter(HTMLInputElement, 'form');
const formOfTextArea = getter(HTMLTextAreaElement, 'form');
const actionOfForm = getter(HTMLFormElement, 'action');
const inputChecked = getter(HTMLInputElement, 'checked');
const inputIndeterminate = getter(HTMLInputElement, 'indeterminate');
const inputForm = getter(HTMLInputElement, 'form');
const selectOptions = getter(HTMLSelectElement, 'options');
const selectMultiple = getter(HTMLSelectElement, 'multiple');
const selectSize = getter(HTMLSelectElement, 'size');
const selectInput = method(HTMLInputElement, 'select');
const selectTextarea = method(HTMLTextAreaElement, 'select');

const kHrefs = { a: getter(HTMLAnchorElement, 'href'), area: getter(HTMLAreaElement, 'href') };
const kTargets = {
  a: getter(HTMLAnchorElement, 'target'),
  area: getter(HTMLAreaElement, 'target'),
};
const kDocuments = {
  iframe: getter(HTMLIFrameElement, 'contentDocument'),
  frame: getter(HTMLFrameElement, 'contentDocument'),
  object: getter(HTMLObjectElement, 'contentDocument'),
};
const kLabels = {
  input: getter(HTMLInputElement, 'labels'),
  select: getter(HTMLSelectElement, 'labels'),
  textarea: getter(HTMLTextAreaElement, 'labels'),
  button: getter(HTMLButtonElement, 'labels'),
  meter: getter(HTMLMeterElement, 'labels'),
  progress: getter(HTMLProgressElement, 'labels'),
  output: getter(HTMLOutputElement, 'labels'),
};
const kValues = {
  input: getter(HTMLInputElement, 'value'),
  textarea: getter(HTMLTextAreaElement, 'value'),
};
const kSelectionStart = {
  input: getter(HTMLInputElement, 'selectionStart'),
  textarea: getter(HTMLTextAreaElement, 'selectionStart'),
};
const kSelectionEnd = {
  input: getter(HTMLInputElement, 'selectionEnd'),
  textarea: getter(HTMLTextAreaElement, 'selectionEnd'),
};
const pristineUrl = URL;
const toJson = JSON.stringify;

const kHtml = 'http://www.w3.org/1999/xhtml';
const kSvg = 'http://www.w3.org/2000/svg';
const kText = 3, kElement = 1, kDocument = 9, kFragment = 11;

const kMaxText = 2000;      // of one element's text or value in a snapshot
const kMaxName = 1000;
const kMaxHeld = 200000;    // of the value of the one field that is acted on
const kMaxOptions = 100;
const kMaxAddress = 8192;
const kNameNodes = 2000;    // looked at for one accessible name
const kPseudoWork = 4000000;

const words = (...lists) => new Set(lists.join(' ').split(' '));
// Elements whose children are never drawn as part of the page.
const kLeaves = words('input textarea select canvas video audio iframe frame embed img meter',
    'progress br hr wbr script style template noscript');
const kSvgUndrawn = words('title desc metadata defs symbol clipPath mask pattern marker style',
    'script linearGradient radialGradient filter');
const kReplaced = words('img canvas video audio svg object embed meter progress');
const kControls = words('button input select textarea summary');
const kActingRoles = words('button checkbox combobox link listbox menuitem menuitemcheckbox',
    'menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem');
const kNameFromContent = words('button cell checkbox columnheader gridcell heading link menuitem',
    'menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem');
const kRoles = words([...kActingRoles].join(' '), [...kNameFromContent].join(' '),
    'alert alertdialog application article banner blockquote caption code complementary',
    'contentinfo definition deletion dialog directory document emphasis feed figure form generic',
    'grid group img image insertion list listitem log main marquee math menu menubar meter',
    'navigation none note paragraph presentation progressbar radiogroup region rowgroup scrollbar',
    'search separator status strong subscript superscript table tablist tabpanel term time timer',
    'toolbar tree treegrid');
const kImplicitRoles = {
  address: 'group', article: 'article', aside: 'complementary', blockquote: 'blockquote',
  button: 'button', caption: 'caption', code: 'code', dd: 'definition', details: 'group',
  dialog: 'dialog', dt: 'term', fieldset: 'group', figure: 'figure', footer: 'contentinfo',
  form: 'form', frame: 'iframe', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading',
  h5: 'heading', h6: 'heading', header: 'banner', hr: 'separator', iframe: 'iframe', li: 'listitem',
  main: 'main', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', option: 'option',
  output: 'status', p: 'paragraph', progress: 'progressbar', search: 'search', summary: 'button',
  table: 'table', td: 'cell', textarea: 'textbox', th: 'columnheader', tr: 'row', ul: 'list',
};
const kInputRoles = {
  button: 'button', checkbox: 'checkbox', color: 'button', file: 'button', image: 'button',
  number: 'spinbutton', radio: 'radio', range: 'slider', reset: 'button', search: 'searchbox',
  submit: 'button',
};
// What insertText can fill; the other kinds of input are chosen from or pressed.
const kTextTypes = words('text search email tel url password number');
const kPickers = words('date datetime-local month week time color range');
const kButtonLabels = { submit: 'Submit', reset: 'Reset', image: 'Submit' };
const isButtonType = (type) => type === 'button' || Object.hasOwn(kButtonLabels, type);

const collapse = (text) => text.replace(/\s+/g, ' ').trim();
const cutTo = (text, size) => (text.length > size ? text.slice(0, size) : text).toWellFormed();
const bytesOf = (text) => {
  let bytes = text.length;
  for (let i = 0; i < text.length; ++i) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
  }
  return bytes;
};
const numberOr = (value, fallback) => (Number.isFinite(value) && value >= 0 ? value : fallback);

// Time that a call may take. A page can make every question slow (a rectangle costs
// a millisecond 7,000 inline boxes down); then it pays with what is told of it.
let deadline = 0;
const startCall = (milliseconds = 2000) => { deadline = performance.now() + milliseconds; };
const isLate = () => performance.now() > deadline;

const isHtml = (node) => namespaceOf(node) === kHtml;
const has = (table, tag) => Object.hasOwn(table, tag);
)js";

// Numbers for nodes.
constexpr std::string_view kNumbers = R"js(
// A number belongs to a node for good and is never used again. Numbers do not keep
// a node alive; those of dead nodes are swept now and then, so that a page which
// makes elements for ever does not fill our memory.
class Numbers {
  #numbers = new WeakMap();
  #nodes = new Map();
  #last = 0;
  #sweepAt = 10000;

  of(node) {
    let n = this.#numbers.get(node);
    if (n === undefined) {
      n = ++this.#last;
      this.#numbers.set(node, n);
      this.#nodes.set(n, new WeakRef(node));
      if (this.#nodes.size >= this.#sweepAt) this.#sweep();
    }
    return n;
  }
  node(n) {
    return this.#nodes.get(n)?.deref() ?? null;
  }
  #sweep() {
    for (const [n, reference] of this.#nodes) {
      if (!reference.deref()) this.#nodes.delete(n);
    }
    this.#sweepAt = 2 * this.#nodes.size + 10000;
  }
}
const elementNumbers = new Numbers();
const blockNumbers = new Numbers();
const shownHrefs = new WeakMap();
const closedRoots = new WeakMap();
// Once a secret field, always one: a "show password" switch changes the type.
const knownCredentials = new WeakSet();

// The node of a number, if it still is part of a document that is shown.
const liveNode = (n) => {
  const node = elementNumbers.node(n);
  return node && isConnected(node) && viewOf(ownerDocument(node)) ? node : null;
};
)js";

// The flat tree.
constexpr std::string_view kFlatTree = R"js(
const shadowOf = (node) => shadowRootOf(node) ?? closedRoots.get(node) ?? null;

// Where the children of an element are to be found: a list, or a first child.
const childrenOf = (node, tag, html) => {
  const shadow = shadowOf(node);
  if (shadow) return { next: firstChild(shadow), list: null };
  if (html && tag === 'slot') {
    const assigned = assignedNodes(node);
    if (assigned.length) return { next: null, list: assigned };
  }
  if (html && tag === 'details' && !detailsOpen(node)) {
    const summary = summaryOf(node);
    return { next: null, list: summary ? [summary] : [] };
  }
  return { next: firstChild(node), list: null };
};

const summaryOf = (details) => {
  for (let child = firstChild(details); child; child = nextSibling(child)) {
    if (nodeType(child) === kElement && localName(child) === 'summary') return child;
  }
  return null;
};

const flatParent = (node) => {
  const type = nodeType(node);
  const slot = type === kElement ? slotOfElement(node) : type === kText ? slotOfText(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  return parent && nodeType(parent) === kFragment ? hostOf(parent) : parent;
};

const frameElementOf = (node) => viewOf(ownerDocument(node))?.frameElement ?? null;

const frameDocument = (node, tag, html) =>
  html && has(kDocuments, tag) ? kDocuments[tag](node) : null;

const isFrame = (tag, html) => html && (tag === 'iframe' || tag === 'frame');
)js";

// Areas and boxes: where a thing can be seen.
constexpr std::string_view kBoxes = R"js(
const kNowhere = { l: 0, t: 0, r: 0, b: 0 };
const area = (l, t, r, b) => ({ l, t, r, b });
const meet = (a, b) => (a === b ? a : area(Math.max(a.l, b.l), Math.max(a.t, b.t),
    Math.min(a.r, b.r), Math.min(a.b, b.b)));
// One pixel is what "visually hidden" styles leave over; nobody reads that.
const shows = (rect, clip) => Math.min(rect.r, clip.r) - Math.max(rect.l, clip.l) > 1 &&
    Math.min(rect.b, clip.b) - Math.max(rect.t, clip.t) > 1;
const within = (rect, clip) => rect.l >= clip.l - 1 && rect.t >= clip.t - 1 &&
    rect.r <= clip.r + 1 && rect.b <= clip.b + 1;
const areaOf = (rect) => area(rect.left, rect.top, rect.right, rect.bottom);

// A document that is shown: this one, or that of a frame in it. x, y, sx and sy
// carry a point of it into the viewport of the document around it.
class Frame {
  constructor(doc, owner) {
    this.doc = doc;
    this.view = viewOf(doc);
    this.owner = owner;
    this.index = 0;
    this.root = documentElement(doc);
    this.body = bodyOf(doc);
    this.x = this.y = 0;
    this.sx = this.sy = 1;
    if (!owner) return;
    const rect = rectOf(owner);
    const { node, style } = owner;
    this.sx = (rect.r - rect.l) / (offsetWidth(node) || 1);
    this.sy = (rect.b - rect.t) / (offsetHeight(node) || 1);
    this.x = rect.l + (clientLeft(node) + parseFloat(style.paddingLeft)) * this.sx;
    this.y = rect.t + (clientTop(node) + parseFloat(style.paddingTop)) * this.sy;
  }
}

class Box {
  constructor(parent, node, style, frame) {
    this.parent = parent;
    this.node = node;
    this.style = style;
    this.frame = frame;
    this.strict = parent ? parent.strict : false;
    this.opacity = parent ? parent.opacity : 1;
    this.visible = true;
    this.boxless = false;       // display: contents
    this.empty = false;         // its children are not drawn
    this.after = false;         // an inline box with a gap behind it
    this.block = this;          // the box whose run takes the text in here
    this.position = 'static';
    this.own = null;            // where the box itself can be seen
    this.flow = null;           // where what flows in it can be seen
    this.hard = parent ? parent.hard : null;  // clip-path: nothing in here escapes it
    this.absolute = null;       // found when first needed: the area for such boxes in here
    this.fixed = null;
    this.rect = null;
    this.pointer = false;
    this.editing = parent ? parent.editing : false;
    this.entry = parent ? parent.entry : null;
    this.soft = parent ? parent.soft : null;
    this.order = 0;
    this.textEntry = null;
    this.textStyle = null;
  }
}

const rectOf = (box) => (box.rect ??= areaOf(boundingRect(box.node)));

const holdsAbsolute = (box) => box.position !== 'static' || holdsFixed(box);
const holdsFixed = (box) => {
  const s = box.style;
  return s !== null && !box.boxless && (s.transform !== 'none' || s.filter !== 'none' ||
      s.translate !== 'none' || s.rotate !== 'none' || s.scale !== 'none' ||
      s.perspective !== 'none' || s.backdropFilter !== 'none' ||
      /transform|filter|perspective/.test(s.willChange) ||
      /paint|layout|strict|content/.test(s.contain) || s.contentVisibility === 'auto');
};

// The area for absolute (or fixed) boxes inside of `box`, noted on each box passed
// so that many such boxes in a deep tree stay cheap.
const escapeArea = (box, key, holds) => {
  const passed = [];
  while (box[key] === null && !holds(box)) {
    passed.push(box);
    box = box.parent;
  }
  const found = (box[key] ??= box.flow);
  for (const each of passed) each[key] = found;
  return found;
};

const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';

// Where the content of a box that does not let it overflow can be seen. A strict
// box tells what is on the screen now, another one what scrolling can bring there.
const contentArea = (box, overflowX, overflowY) => {
  const rect = rectOf(box);
  if (!shows(rect, box.own)) return kNowhere;
  const { node, style, own } = box;
  let { l, t, r, b } = own;
  const wide = !box.strict && scrolls(overflowX) && scrollWidth(node) > clientWidth(node);
  const high = !box.strict && scrolls(overflowY) && scrollHeight(node) > clientHeight(node);
  const flex = wide || high ? style.flexDirection : '';
  const reversed = style.display.includes('flex') ? flex : '';
  if (wide) {
    const backwards = (style.direction === 'rtl') !== (reversed === 'row-reverse');
    const width = scrollWidth(node);
    l = rect.l - scrollLeft(node) - (backwards ? width - clientWidth(node) : 0);
    r = l + Math.max(width, rect.r - rect.l);
  } else if (overflowX !== 'visible') {
    l = Math.max(l, rect.l);
    r = Math.min(r, rect.r);
  }
  if (high) {
    const height = scrollHeight(node);
    const upwards = reversed === 'column-reverse';
    t = rect.t - scrollTop(node) - (upwards ? height - clientHeight(node) : 0);
    b = t + Math.max(height, rect.b - rect.t);
  } else if (overflowY !== 'visible') {
    t = Math.max(t, rect.t);
    b = Math.min(b, rect.b);
  }
  return area(l, t, r, b);
};

const lengthIn = (text, whole, otherwise) => {
  const value = parseFloat(text);
  return Number.isNaN(value) ? otherwise : text.endsWith('%') ? (value * whole) / 100 : value;
};

// The area that clip-path or clip leaves of a box; null if it is no simple shape.
const shapeArea = (box, path) => {
  const rect = rectOf(box);
  const width = rect.r - rect.l, height = rect.b - rect.t;
  const inset = /^inset\(([^)]*)\)/.exec(path);
  if (inset) {
    const [t, r = t, b = t, l = r] = inset[1].split(' round')[0].trim().split(/\s+/);
    return area(rect.l + lengthIn(l, width, 0), rect.t + lengthIn(t, height, 0),
        rect.r - lengthIn(r, width, 0), rect.b - lengthIn(b, height, 0));
  }
  if (/^(circle|ellipse)\((0|0px|0%)[\s)]/.test(path)) return kNowhere;
  const polygon = /^polygon\((?:\w+, ?)?([^)]*)\)/.exec(path);
  if (polygon) {
    const points = polygon[1].split(',').map((point) => point.trim().split(/\s+/));
    const xs = points.map(([x]) => rect.l + lengthIn(x, width, 0));
    const ys = points.map(([, y]) => rect.t + lengthIn(y ?? '0', height, 0));
    return area(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  }
  const clip = /^rect\((\S+?),? (\S+?),? (\S+?),? (\S+?)\)$/.exec(path);
  if (clip) {
    return area(rect.l + lengthIn(clip[4], width, 0), rect.t + lengthIn(clip[1], height, 0),
        rect.l + lengthIn(clip[2], width, width), rect.t + lengthIn(clip[3], height, height));
  }
  return null;
};

// The box of a whole document. An owner is the box of the frame element it is in.
const documentBox = (doc, owner, strict) => {
  const frame = new Frame(doc, owner);
  const { view, root, body } = frame;
  const box = new Box(null, doc, null, frame);
  box.strict = strict;
  box.opacity = owner ? owner.opacity : 1;
  const width = view.innerWidth, height = view.innerHeight;
  let screen = area(0, 0, width, height);
  if (owner) {
    const outer = owner.own;
    screen = meet(screen, area((outer.l - frame.x) / frame.sx, (outer.t - frame.y) / frame.sy,
        (outer.r - frame.x) / frame.sx, (outer.b - frame.y) / frame.sy));
  }
  let { l, t, r, b } = screen;
  const scroller = scrollingElement(doc) ?? root;
  if (!strict && root && scroller) {
    const rootStyle = getComputedStyle(root);
    const bodyStyle = body ? getComputedStyle(body) : rootStyle;
    const passes = rootStyle.overflowX === 'visible' && rootStyle.overflowY === 'visible';
    const ruling = passes ? bodyStyle : rootStyle;
    const still = owner !== null && /^no$/i.test(attribute(owner.node, 'scrolling') ?? '');
    const locked = (overflow) => still || overflow === 'hidden' || overflow === 'clip';
    if (!locked(ruling.overflowX)) {
      const rtl = rootStyle.direction === 'rtl' || bodyStyle.direction === 'rtl';
      l = -view.scrollX - (rtl ? Math.max(0, scrollWidth(scroller) - width) : 0);
      r = l + Math.max(width, scrollWidth(scroller));
    }
    if (!locked(ruling.overflowY)) {
      t = -view.scrollY;
      b = t + Math.max(height, scrollHeight(scroller));
    }
  }
  box.own = box.flow = box.absolute = area(l, t, r, b);
  box.fixed = screen;
  return box;
};

const isInline = (display) => display.startsWith('inline') || display.startsWith('ruby') ||
    display.includes('math');

// The box of an element, or null if neither it nor anything in it is drawn.
const enter = (parent, node, tag, html) => {
  const style = getComputedStyle(node);
  const display = style.display;
  if (display === 'none' || display === '') return null;
  if (html && hasAttribute(node, 'inert')) return null;
  const { frame } = parent;
  const box = new Box(parent, node, style, frame);
  box.visible = style.visibility === 'visible';
  if (display === 'contents') {
    box.boxless = true;
    box.block = parent.block;
    box.own = box.flow = parent.flow;
    box.pointer = parent.pointer;
    return box;
  }
  const inline = isInline(display) || display === 'table-cell';
  if (inline) box.block = parent.block;
  box.pointer = style.cursor === 'pointer';
  const position = (box.position = style.position);
  const fixed = position === 'fixed', absolute = position === 'absolute';
  if ((fixed || absolute) && html && (tag === 'dialog' || hasAttribute(node, 'popover')) &&
      matches(node, ':modal, :popover-open')) {
    // In the top layer nothing of its ancestors applies.
    let top = parent;
    while (top.parent) top = top.parent;
    box.own = fixed ? top.fixed : top.absolute;
    box.hard = null;
    box.opacity = top.opacity;
  } else {
    box.own = fixed ? escapeArea(parent, 'fixed', holdsFixed)
        : absolute ? escapeArea(parent, 'absolute', holdsAbsolute) : parent.flow;
    if (box.hard) box.own = meet(box.own, box.hard);
  }
  box.empty = style.contentVisibility === 'hidden';
  const opacity = style.opacity;
  if (opacity !== '1') {
    box.opacity *= parseFloat(opacity);
    if (box.opacity < 0.02) return null;
  }
  let path = style.clipPath;
  if (path === 'none' && (absolute || fixed)) path = style.clip;
  if (path !== 'none' && path !== 'auto') {
    const shape = shapeArea(box, path);
    if (shape) {
      box.hard = box.hard ? meet(box.hard, shape) : shape;
      box.own = meet(box.own, shape);
    }
  }
  box.flow = box.own;
  const overflowX = style.overflowX, overflowY = style.overflowY;
  if ((overflowX !== 'visible' || overflowY !== 'visible') && display !== 'inline' &&
      node !== frame.root && !(node === frame.body && passesOverflow(frame))) {
    box.flow = contentArea(box, overflowX, overflowY);
  }
  return box;
};

// CSS Overflow 3, section 3.3: what body says goes to the viewport if html says nothing.
const passesOverflow = (frame) => {
  const style = getComputedStyle(frame.root);
  return style.overflowX === 'visible' && style.overflowY === 'visible';
};

const isSeen = (box) => box.visible && !box.boxless && shows(rectOf(box), box.own);

// The box of one node, from the top of its document chain downwards; null if a
// part of the chain is not drawn.
const boxOf = (node, strict) => {
  const path = [];
  for (let at = node; at;) {
    path.push(at);
    if (at === document) break;
    if (nodeType(at) === kDocument) {
      at = viewOf(at)?.frameElement ?? null;
    } else {
      at = flatParent(at);
    }
  }
  let box = null;
  while (path.length) {
    const at = path.pop();
    if (nodeType(at) === kDocument) {
      if (box && !isSeen(box)) return null;
      box = documentBox(at, box, strict);
      continue;
    }
    const tag = localName(at), html = isHtml(at);
    if (html && tag === 'details' && !detailsOpen(at) && path.length &&
        path[path.length - 1] !== summaryOf(at)) {
      return null;
    }
    const parent = box;
    box = parent && enter(parent, at, tag, html);
    if (!box) return null;
    if (path.length && box.empty) return null;
  }
  return box;
};

const toTop = (frame, x, y) => {
  for (; frame.owner; frame = frame.owner.frame) {
    x = frame.x + x * frame.sx;
    y = frame.y + y * frame.sy;
  }
  return { x, y };
};
)js";

// Text: what of it is seen, and the runs it is gathered into.
constexpr std::string_view kText = R"js(
// The style of the text that stands directly in a box, looked at once.
const textStyleOf = (box) => {
  if (box.textStyle) return box.textStyle;
  const s = box.style;
  const drawn = s.fontSize !== '0px' && (!isClear(s.webkitTextFillColor) || isPainted(box));
  return (box.textStyle = {
    drawn,
    spaces: s.whiteSpaceCollapse,
    transform: s.textTransform,
    shifted: s.textIndent !== '0px',
  });
};

const isClear = (colour) => /[,/] 0(\.0\d*)?\)$/.test(colour) && /^rgba|\//.test(colour);

// Text without a colour of its own still shows where a background is cut to its
// shape, or where it casts a shadow.
const isPainted = (box) => {
  for (let at = box, i = 0; at && at.style && i < 8; at = at.parent, ++i) {
    const s = at.style;
    if (s.backgroundClip.includes('text') || s.textShadow !== 'none') return true;
    if (!isClear(s.webkitTextFillColor)) return false;
  }
  return false;
};

const transformed = (text, how) => {
  if (how === 'none') return text;
  if (how.includes('uppercase')) return text.toUpperCase();
  if (how.includes('lowercase')) return text.toLowerCase();
  if (!how.includes('capitalize')) return text;
  return text.replace(/(^|[^\p{L}\p{N}\p{M}'\u2019])(\p{L})/gu,
      (all, before, letter) => before + letter.toUpperCase());
};

// Measures parts of text nodes. Text that is cut off is halved until each part is
// either inside or outside, so what is left is right to the character.
class Ruler {
  #range = null;
  #doc = null;

  #measure(node, doc, from, to) {
    if (this.#doc !== doc) {
      this.#doc = doc;
      this.#range = createRange(doc);
    }
    this.#range.setStart(node, from);
    this.#range.setEnd(node, to);
    return areaOf(this.#range.getBoundingClientRect());
  }
  seenPart(node, doc, text, clip) {
    return this.#part(node, doc, text, clip, 0, text.length);
  }
  #part(node, doc, text, clip, from, to) {
    if (isLate()) return text.slice(from, to);
    const rect = this.#measure(node, doc, from, to);
    if (rect.r - rect.l <= 0 || rect.b - rect.t <= 0) {
      const part = text.slice(from, to);
      return part.trim() === '' ? part : '';
    }
    if (within(rect, clip)) return text.slice(from, to);
    if (!shows(rect, clip) && rect.r - rect.l > 1) return '';
    if (to - from <= 1 || (to - from === 2 && text.codePointAt(from) > 0xffff)) {
      const part = meet(rect, clip);
      const half = (rect.r - rect.l) * (rect.b - rect.t) / 2;
      return (part.r - part.l > 0 && (part.r - part.l) * (part.b - part.t) >= half)
          ? text.slice(from, to) : '';
    }
    let middle = (from + to) >> 1;
    if (middle - 1 > from && text.codePointAt(middle - 1) > 0xffff) --middle;
    else if (text.codePointAt(middle - 1) > 0xffff) ++middle;
    return this.#part(node, doc, text, clip, from, middle) +
        this.#part(node, doc, text, clip, middle, to);
  }
}

// What a person can read of a text node that stands in `box`.
const seenText = (box, node, text, ruler) => {
  if (!box.visible) return '';
  const style = textStyleOf(box);
  if (!style.drawn) return '';
  if (!box.boxless && box.flow === box.own && !style.shifted) {
    const rect = rectOf(box);
    if (rect.r > rect.l && rect.b > rect.t && within(rect, box.own)) return text;
  }
  return ruler.seenPart(node, box.frame.doc, text, box.flow);
};

// Strings, functions as a whole (an url() holds a string that is not shown), the rest.
const kContentParts = /"(?:[^"\\]|\\.)*"|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^")])*\)|[\w-]+|\//gs;

// What a pseudo-element says, drawn or not. Characters for private use are icons of
// a font and say nothing.
const generatedText = (style) => {
  const content = style.content;
  if (content === 'none' || content === 'normal') return '';
  let text = '';
  for (const [part] of content.matchAll(kContentParts)) {
    if (part === '/') break;    // what follows is said to assistive tools only
    if (part === 'open-quote') text += '\u201c';
    else if (part === 'close-quote') text += '\u201d';
    else if (part.startsWith('"')) text += part.slice(1, -1).replace(/\\(.)/gs, '$1');
  }
  if (text === '' || style.display === 'none' || style.visibility !== 'visible') return '';
  return text.replace(/[\ue000-\uf8ff]|[\u{f0000}-\u{10ffff}]/gu, '');
};

// A pseudo-element has no rectangle that a script can ask for, so the usual ways to
// put one out of sight are looked for in its style.
const isGeneratedSeen = (style) => {
  if (style.fontSize === '0px' || parseFloat(style.opacity) < 0.02 ||
      isClear(style.webkitTextFillColor) || parseFloat(style.textIndent) < -500) {
    return false;
  }
  if (style.overflowX !== 'visible' &&
      (parseFloat(style.width) <= 1 || parseFloat(style.height) <= 1)) {
    return false;
  }
  return style.position === 'static' || style.position === 'relative' ||
      !(parseFloat(style.left) < -500 || parseFloat(style.top) < -500);
};

// One run: the inline text of a block, as it is rendered.
class Run {
  constructor() {
    this.reset(null);
  }
  reset(box) {
    this.box = box;       // the block it belongs to
    this.first = null;    // the node whose number names the run
    this.text = '';
    this.gap = '';        // a space or tabs that only count if more text follows
    this.own = false;     // holds text that no reported element holds
    this.soft = null;
    this.pieces = 0;      // changes of the element that the text belongs to
    this.entry = null;
  }
  add(text, spaces, node, entry, size) {
    if (this.text.length >= size) return;
    if (spaces.startsWith('collapse')) {
      text = text.replace(/[ \t\n\r\f]+/g, ' ');
      if (text.startsWith(' ')) {
        this.gap ||= ' ';
        text = text.slice(1);
      }
      if (text === '') return;
      const trails = text.endsWith(' ');
      if (trails) text = text.slice(0, -1);
      this.#put(text, node, entry);
      if (trails) this.gap = ' ';
    } else {
      if (spaces === 'preserve-breaks') {
        text = text.replace(/[ \t]*\n[ \t]*/g, '\n').replace(/[ \t]+/g, ' ');
      }
      this.#put(text, node, entry);
    }
  }
  #put(text, node, entry) {
    if (this.text !== '' && !this.text.endsWith('\n')) this.text += this.gap;
    this.gap = '';
    this.text += text;
    this.first ??= node;
    if (this.pieces === 0 || this.entry !== entry) ++this.pieces;
    this.entry = entry;
  }
  lineBreak() {
    if (this.text !== '') this.text += '\n';
    this.gap = '';
  }
  result() {
    return this.text.replace(/[ \t]+\n/g, '\n').replace(/^\n+|\s+$/g, '');
  }
}
)js";

// Roles and accessible names.
constexpr std::string_view kNames = R"js(
const inputTypeOf = (node, tag, html) => (html && tag === 'input' ? inputType(node) : '');

const isListbox = (node) => selectMultiple(node) || selectSize(node) > 1;

const roleOf = (node, tag, html) => {
  const given = hasAttributes(node) ? attribute(node, 'role') : null;
  if (given) {
    for (const role of given.toLowerCase().trim().split(/\s+/)) {
      if (kRoles.has(role) && role !== 'none' && role !== 'presentation') {
        return role === 'image' ? 'img' : role;
      }
    }
  }
  if (!html) {
    return tag === 'a' && namespaceOf(node) === kSvg && svgHref(node) !== null ? 'link' : 'generic';
  }
  switch (tag) {
    case 'a': case 'area':
      return hasAttribute(node, 'href') ? 'link' : 'generic';
    case 'img':
      return attribute(node, 'alt') === '' ? 'generic' : 'img';
    case 'input': {
      const own = kInputRoles[inputType(node)] ?? 'textbox';
      const suggests = (own === 'textbox' || own === 'searchbox') && hasAttribute(node, 'list');
      return suggests ? 'combobox' : own;
    }
    case 'select':
      return isListbox(node) ? 'listbox' : 'combobox';
    case 'th':
      return attribute(node, 'scope') === 'row' ? 'rowheader' : 'columnheader';
    case 'section':
      return hasAttribute(node, 'aria-label') || hasAttribute(node, 'aria-labelledby')
          ? 'region' : 'generic';
  }
  return has(kImplicitRoles, tag) ? kImplicitRoles[tag] : 'generic';
};

const svgHref = (node) => attribute(node, 'href') ?? attribute(node, 'xlink:href');

const byId = (node, id) => {
  const root = rootOf(node);
  return nodeType(root) === kFragment ? byIdInShadow(root, id)
      : nodeType(root) === kDocument ? byIdInDocument(root, id) : null;
};

const labelledBy = (node) => {
  const ids = attribute(node, 'aria-labelledby');
  if (!ids || !ids.trim()) return '';
  const parts = [];
  for (const id of ids.trim().split(/\s+/).slice(0, 20)) {
    const target = byId(node, id);
    if (target) parts.push(directName(target) || contentName(target, null, true));
  }
  return collapse(parts.join(' '));
};

const directName = (node) => collapse(attribute(node, 'aria-label') ?? '');

// What an embedded element gives to the name it stands in: a text, or null to go on
// with its children. Accessible Name and Description Computation 1.2, step 2.
const embeddedName = (node, tag, html) => {
  const label = hasAttributes(node) ? directName(node) : '';
  if (label) return label;
  if (!html) {
    if (namespaceOf(node) === kSvg && tag === 'svg') return svgTitle(node);
    return namespaceOf(node) === kSvg && kSvgUndrawn.has(tag) ? '' : null;
  }
  if (tag === 'img') return attribute(node, 'alt') ?? attribute(node, 'title') ?? '';
  if (tag === 'input') {
    const type = inputType(node);
    if (type === 'checkbox' || type === 'radio' || type === 'hidden') return '';
    if (type === 'image') return attribute(node, 'alt') ?? '';
    if (isButtonType(type)) return kValues.input(node) || kButtonLabels[type] || '';
    return credentialOf(node, tag) ? '' : kValues.input(node);
  }
  if (tag === 'textarea') return credentialOf(node, tag) ? '' : kValues.textarea(node);
  if (tag === 'select') return selectedLabels(node).join(' ');
  return kLeaves.has(tag) ? '' : null;
};

const svgTitle = (node) => {
  for (let child = firstChild(node); child; child = nextSibling(child)) {
    if (nodeType(child) === kElement && localName(child) === 'title') return flatText(child);
  }
  return '';
};

// The text nodes right below a node.
const flatText = (node) => {
  let text = '';
  for (let child = firstChild(node); child; child = nextSibling(child)) {
    if (nodeType(child) === kText) text += dataOf(child);
  }
  return text;
};

const kDrawn = { visibilityProperty: true };

// The name that the content of an element gives it. Text which only assistive
// tools see counts, text which is not drawn at all does not, unless `hidden`.
const contentName = (root, skipped, hidden) => {
  let text = '', left = kNameNodes;
  const stack = [];
  const open = (node, tag, html, space) => {
    const level = childrenOf(node, tag, html);
    level.transform = getComputedStyle(node).textTransform;
    level.after = generatedText(getComputedStyle(node, '::after')) + space;
    text += space + generatedText(getComputedStyle(node, '::before'));
    stack.push(level);
  };
  open(root, localName(root), isHtml(root), '');
  while (stack.length && text.length < 4 * kMaxName) {
    const level = stack[stack.length - 1];
    const list = level.list;
    let node;
    if (list) node = list[(level.at = (level.at ?? -1) + 1)];
    else if ((node = level.next)) level.next = nextSibling(node);
    if (!node) {
      stack.pop();
      if (level.after) text += level.after;
      continue;
    }
    if (--left < 0 || isLate()) break;
    const type = nodeType(node);
    if (type === kText) {
      text += transformed(dataOf(node), level.transform);
      continue;
    }
    if (type !== kElement || node === skipped) continue;
    const tag = localName(node), html = isHtml(node);
    if (html && (tag === 'script' || tag === 'style')) continue;
    if (!hidden && ((html && tag !== 'slot' && !checkVisibility(node, kDrawn)) ||
        attribute(node, 'aria-hidden') === 'true')) {
      continue;
    }
    if (html && tag === 'br') {
      text += ' ';
      continue;
    }
    const embedded = embeddedName(node, tag, html);
    const display = getComputedStyle(node).display;
    const space = display === 'inline' || display === 'contents' ? '' : ' ';
    if (embedded !== null) text += space + embedded + space;
    else open(node, tag, html, space);
  }
  return collapse(text);
};

const labelsName = (node, tag) => {
  const labels = kLabels[tag](node);
  if (!labels) return '';
  const parts = [];
  for (let i = 0; i < labels.length && i < 10; ++i) {
    parts.push(directName(labels[i]) || contentName(labels[i], node, false));
  }
  return collapse(parts.join(' '));
};

const childName = (node, wanted) => {
  for (let child = firstChild(node); child; child = nextSibling(child)) {
    if (nodeType(child) === kElement && localName(child) === wanted) {
      return contentName(child, null, false);
    }
  }
  return '';
};

const nativeName = (node, tag) => {
  const labels = has(kLabels, tag) ? labelsName(node, tag) : '';
  if (labels) return labels;
  switch (tag) {
    case 'input': {
      const type = inputType(node);
      if (type === 'image') {
        return attribute(node, 'alt') || attribute(node, 'title') || kValues.input(node) ||
            kButtonLabels.image;
      }
      return isButtonType(type) ? kValues.input(node) || kButtonLabels[type] || '' : '';
    }
    case 'img': case 'area': return attribute(node, 'alt') ?? '';
    case 'fieldset': return childName(node, 'legend');
    case 'figure': return childName(node, 'figcaption');
    case 'table': return childName(node, 'caption');
    case 'iframe': case 'frame': return attribute(node, 'title') || attribute(node, 'name') || '';
  }
  return '';
};

// The accessible name. `seen` is the text that the walk saw in the element, given
// if there is nothing in it from which the two could differ.
const nameOf = (node, tag, html, role, seen) => {
  const named = hasAttributes(node);
  let name = named ? labelledBy(node) || directName(node) : '';
  if (!name && html) name = collapse(nativeName(node, tag));
  if (!name && !html && tag === 'svg') name = collapse(svgTitle(node));
  const control = html && tag !== 'button' && tag !== 'summary' && kControls.has(tag);
  if (!name && !control && kNameFromContent.has(role)) {
    name = seen ?? contentName(node, null, false);
  }
  if (!name && named) {
    name = collapse(attribute(node, 'title') || attribute(node, 'placeholder') ||
        attribute(node, 'aria-placeholder') || '');
  }
  return cutTo(name, kMaxName);
};
)js";

// Credential fields.
constexpr std::string_view kCredentials = R"js(
// The table of secrets. To extend it, add a phrase to a list: it is found as whole
// words in a field's name, id and label, however they are spelled (userPassword,
// user_password and USER-PASSWORD are the same). `anywhere` is also found inside
// of a longer word (txtpassword), so only long and clear words belong there.
const kSecrets = [
  {
    kind: 'password',
    autocomplete: 'current-password new-password',
    phrases: `password, pass word, passwd, pwd, passphrase, pass phrase, passcode, pass code,
      passwort, kennwort, mot de passe, contraseña, senha, wachtwoord, parola d'ordine, lösenord, adgangskode,
      passord, salasana, hasło, heslo, şifre, jelszó, пароль, 密码, 密碼, パスワード, 비밀번호`,
    anywhere: 'password, passwd, passwort, kennwort, passphrase',
    whole: 'pass, pw, user pass, login pass',
  },
  {
    kind: 'one_time_code',
    autocomplete: 'one-time-code',
    phrases: `otp, totp, otp code, one time code, one time password, one time passcode, 2fa, mfa,
      two factor, two step, digit code, verification code, verify code, security code,
      authentication code, authenticator code, authorization code, auth code, sms code, login code,
      sign in code, backup code, recovery code, einmalcode, sicherheitscode, bestätigungscode,
      code de vérification, code de sécurité, código de verificación, código de seguridad,
      código de verificação, код подтверждения, 验证码, 驗證碼, 認証コード, 確認コード, 인증번호`,
    anywhere: 'onetimecode, onetimepass, verificationcode, otpcode, authcode',
    whole: '',
  },
  {
    kind: 'card',
    autocomplete: 'cc-number cc-csc cc-exp cc-exp-month cc-exp-year',
    phrases: `card number, card no, card num, card nr, cardnumber, cardno, credit card, debit card,
      cc number, cc num, cc no, ccnum, cc csc, cc cvc, cc cvv, cc exp, card exp, card expiry, card expiration,
      card expires, cvv, cvc, csc, cvn, card code, card verification, kartennummer, prüfziffer,
      numéro de carte, cryptogramme visuel, número de tarjeta, número do cartão, numero carta, 卡号,
      カード番号, 카드 번호`,
    anywhere: 'creditcard, ccnumber, kreditkarte, cardcvv, cardcvc',
    whole: 'card, pan, cc',
  },
  {
    kind: 'pin',
    autocomplete: '',
    phrases: 'pin number, pin no, atm pin, card pin, security pin, secret pin, login pin, pin codes',
    anywhere: '',
    whole: '',
  },
  {
    kind: 'identity_number',
    autocomplete: '',
    phrases: `ssn, social security, social security number, social insurance number,
      national insurance number, taxpayer id, taxpayer identification, sozialversicherungsnummer,
      codice fiscale, burgerservicenummer`,
    anywhere: 'socialsecurity',
    whole: '',
  },
  {
    kind: 'secret',
    autocomplete: '',
    phrases: `secret key, secret answer, client secret, api secret, shared secret, app secret,
      api key, apikey, access token, private key, seed phrase, recovery phrase, recovery key, secret phrase,
      mnemonic phrase, security answer, security question answer, mothers maiden name, maiden name`,
    anywhere: 'apikey, secretkey, accesstoken, privatekey, seedphrase',
    whole: 'secret, mnemonic',
  },
];
// A name that ends with one of these is about that thing: password_reset_email.
const kPlainHeads = words('email mail hint search query username user phone mobile zip postcode',
    'postal city address');
const kPlainTypes = words('email search url');
const kPlainAutocomplete = words('email username name given-name family-name tel postal-code',
    'street-address organization off-topic url bday country');
// A short number field is a code only if it says so and is none of these.
const kPlainCodes = words('zip post postal postcode area country dial dialling city promo promotion',
    'promotional coupon discount voucher gift referral invite product item style booking airport',
    'currency language swift sort branch bank vat color colour source qr bar');

const spelled = (text) => ' ' + text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase()
    .normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').replace(/['\u2019]/g, '')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ').trim() + ' ';

const phrases = (text) => (text ? text.split(',').map((phrase) => spelled(phrase)) : []);

const kUnspaced = /[^\u0000-\u04ff]/;
const kSecretRules = kSecrets.map((secret) => ({
  kind: secret.kind,
  autocomplete: words(secret.autocomplete),
  // Scripts that do not put spaces between words are looked for without them.
  phrases: phrases(secret.phrases).map((phrase) => (kUnspaced.test(phrase) ? phrase.trim() : phrase)),
  anywhere: phrases(secret.anywhere).map((phrase) => phrase.trim()),
  whole: new Set(phrases(secret.whole)),
}));

const isPlainCode = (text) => text.split(' ').some((word) => kPlainCodes.has(word));

const kPin = / pin( (number|no|confirm|confirmation|again|repeat|digits?|\p{N}+)( .*)?)? $/u;

const kForgotten = / (forgot|forgotten|lost|reset|recover)( your| my| the)? password(?= )/g;

const secretIn = (text, isName) => {
  const plain = spelled(text.slice(0, 120));
  if (isName && kPlainHeads.has(plain.trim().split(' ').pop())) return '';
  const compact = isName ? plain.replaceAll(' ', '') : '';
  // "Forgot your password?" next to an e-mail field is not a password.
  const said = plain.replace(kForgotten, ' ');
  for (const rule of kSecretRules) {
    if (rule.phrases.some((phrase) => said.includes(phrase)) || rule.whole.has(plain) ||
        (isName && rule.anywhere.some((word) => compact.includes(word)))) {
      return rule.kind;
    }
  }
  return kPin.test(plain) && !isPlainCode(plain) ? 'pin' : '';
};

// Why a field is one for secrets ("password:type", "card:autocomplete"), or ''.
const credentialOf = (node, tag) => {
  const reason = freshCredentialOf(node, tag);
  if (reason) knownCredentials.add(node);
  return reason || (knownCredentials.has(node) ? 'password:seen_before' : '');
};

const freshCredentialOf = (node, tag) => {
  const input = tag === 'input';
  const type = input ? inputType(node) : 'text';
  if (type === 'password') return 'password:type';
  if (!(input ? kTextTypes.has(type) || type === 'date' || type === 'month'
      : tag === 'textarea' || tag === 'select' || isEditingHost(node))) {
    return '';
  }
  const tokens = (attribute(node, 'autocomplete') ?? '').toLowerCase().trim().split(/\s+/);
  for (const rule of kSecretRules) {
    if (tokens.some((token) => token && rule.autocomplete.has(token))) {
      return rule.kind + ':autocomplete';
    }
  }
  if (tag === 'select') return '';
  const masked = getComputedStyle(node).webkitTextSecurity;
  if (masked && masked !== 'none') return 'password:masked';
  if (kPlainTypes.has(type)) return '';
  const names = [attribute(node, 'name') ?? '', attribute(node, 'id') ?? ''];
  for (const name of names) {
    const kind = name && secretIn(name, true);
    if (kind) return kind + ':name';
  }
  const plain = tokens.some((token) => kPlainAutocomplete.has(token)) ||
      names.some((name) => kPlainHeads.has(spelled(name).trim().split(' ').pop()));
  const hints = [nameOf(node, tag, true, '', null), attribute(node, 'placeholder') ?? '',
      attribute(node, 'title') ?? ''];
  if (!plain) {
    for (const hint of hints) {
      const kind = hint && secretIn(hint, false);
      if (kind) return kind + ':label';
    }
  }
  return input ? codeByShape(node, type, names.concat(hints)) : '';
};

// Boxes for one digit each, and short number fields that call themselves a code.
const codeByShape = (node, type, said) => {
  const size = Number(attribute(node, 'maxlength') ?? NaN);
  if (size === 1) {
    const around = inputForm(node) ?? parentNode(parentNode(node) ?? node);
    let boxes = 0;
    if (around && nodeType(around) === kElement) {
      const found = queryAll(around, 'input[maxlength="1"]');
      for (let i = 0; i < found.length && boxes <= 12; ++i) {
        if (inputForm(found[i]) === inputForm(node)) ++boxes;
      }
    }
    if (boxes >= 4 && boxes <= 12) return 'one_time_code:shape';
  }
  const digits = type === 'tel' || type === 'number' ||
      /^(numeric|decimal|tel)$/i.test(attribute(node, 'inputmode') ?? '') ||
      /\\d|\[0-9\]/.test(attribute(node, 'pattern') ?? '');
  if (!digits || !(size >= 4 && size <= 8)) return '';
  const text = spelled(said.join(' '));
  if (/ pin code /.test(text) && size <= 5) return 'pin:shape';
  return / (code|token|passcode) /.test(text) && !/ pin code /.test(text) && !isPlainCode(text)
      ? 'one_time_code:shape' : '';
};
)js";

// Forms: what a field holds and how it is acted on.
constexpr std::string_view kForms = R"js(
const isEditingHost = (node) => {
  const given = isHtml(node) ? attribute(node, 'contenteditable') : null;
  if (given === null || !/^(|true|plaintext-only)$/i.test(given)) return false;
  const parent = parentNode(node);
  return !(parent && nodeType(parent) === kElement && isHtml(parent) && isContentEditable(parent));
};

const optionLabels = (node, wanted) => {
  const labels = [];
  const options = selectOptions(node);
  for (let i = 0; i < options.length && i < 10000; ++i) {
    if (wanted(options[i])) labels.push(collapse(optionLabel(options[i])));
  }
  return labels;
};

const selectedLabels = (node) => optionLabels(node, optionSelected);

// The kind decides what can be done with an element; a closed set of our own.
const kindOf = (node, tag, html) => {
  if (!html) return tag === 'a' ? 'link' : 'other';
  switch (tag) {
    case 'a': case 'area':
      if (hasAttribute(node, 'href')) return 'link';
      break;
    case 'textarea': return 'multiline';
    case 'select': return 'choice';
    case 'button': case 'summary': return 'button';
    case 'input': {
      const type = inputType(node);
      if (kTextTypes.has(type)) return 'text';
      if (kPickers.has(type)) return 'picker';
      if (type === 'checkbox' || type === 'radio') return 'toggle';
      return type === 'file' ? 'file' : 'button';
    }
  }
  return isEditingHost(node) ? 'rich' : 'other';
};

const kTyped = words('text multiline rich');

// What a field holds now, or null if it holds nothing that we tell.
const heldValue = (node, tag, kind) => {
  switch (kind) {
    case 'text': case 'multiline': case 'picker':
      return kValues[tag](node);
    case 'choice': return selectedLabels(node).join(', ');
    case 'rich': return innerText(node).replace(/\n$/, '');
  }
  return null;
};

const isDisabled = (node) =>
  matches(node, ':disabled') || attribute(node, 'aria-disabled') === 'true';

const isReadOnly = (node, tag, kind) =>
  ((kind === 'text' || kind === 'multiline') && hasAttribute(node, 'readonly')) ||
  attribute(node, 'aria-readonly') === 'true';

const hrefOf = (node, tag, html) => {
  if (html) return has(kHrefs, tag) && hasAttribute(node, 'href') ? kHrefs[tag](node) : null;
  if (tag !== 'a' || namespaceOf(node) !== kSvg) return null;
  const given = svgHref(node);
  if (given === null) return null;
  try {
    return new pristineUrl(given, baseUri(node)).href;
  } catch {
    return given;
  }
};
)js";

// The walk, which both reading and the snapshot are made of.
constexpr std::string_view kWalk = R"js(
class Entry {
  constructor(box, tag, html, role, order) {
    this.box = box;
    this.tag = tag;
    this.html = html;
    this.role = role;
    this.order = order;
    this.parent = box.parent.entry;
    this.softParent = box.parent.soft;
    this.seen = false;
    this.soft = false;      // keeps its text only if that is short
    this.plain = true;      // name and seen text can't differ
    this.clickable = false;
    this.unread = false;
    this.text = '';
    this.label = null;      // of a text entry: what it says
    this.control = null;    // of a label: the control it stands for
  }
}

const kSoftText = 200;

class Walk {
  constructor(reading, maxNodes) {
    this.reading = reading;
    this.nodesLeft = maxNodes;
    this.pseudoWork = kPseudoWork;
    this.truncated = false;
    this.frames = [];
    this.entries = [];
    this.controls = new Set();  // the controls that were seen themselves
    this.blocks = [];
    this.joined = [];
    this.joinedSize = 0;
    this.run = new Run();
    this.ruler = new Ruler();
    this.order = 0;
    this.stack = [];
  }

  go() {
    const top = this.#openDocument(document, null);
    const { stack } = this;
    this.run.reset(top);
    while (stack.length) {
      const level = stack[stack.length - 1];
      const { list } = level;
      let node = null;
      if (list) {
        if (level.at < list.length) node = list[level.at++];
      } else if ((node = level.next)) {
        level.next = nextSibling(node);
      }
      if (!node) {
        stack.pop();
        this.#leave(level);
        continue;
      }
      if (--this.nodesLeft < 0 || (this.nodesLeft % 32 === 0 && isLate())) {
        this.truncated = true;
        while (stack.length) this.#leave(stack.pop());
        break;
      }
      const type = nodeType(node);
      if (type === kText) this.#text(level.box, node);
      else if (type === kElement) this.#element(level.box, node);
    }
    this.#flush();
  }

  #openDocument(doc, owner) {
    const box = documentBox(doc, owner, false);
    box.frame.index = this.frames.length;
    this.frames.push(box.frame);
    if (owner) {
      box.entry = null;
      this.#flush();
      this.run.reset(box);
    }
    const root = documentElement(doc);
    this.#push(box, null, owner).list = root ? [root] : [];
    return box;
  }

  // A level of the stack: a box whose children are being walked, one by one along
  // `next` or from `list`. `back` is the frame element whose document this is.
  #push(box, entry, back) {
    const level = { box, next: null, list: null, at: 0, entry, back, generates: false };
    this.stack.push(level);
    return level;
  }

  #text(box, node) {
    const data = dataOf(node);
    if (data === '' || !box.visible) return;
    const blank = !/[^ \t\n\r\f]/.test(data);
    const { run } = this;
    if (blank && run.text === '') return;
    const style = textStyleOf(box);
    let text = data;
    if (!blank) {
      text = seenText(box, node, data, this.ruler);
      if (text !== data && box.entry) box.entry.plain = false;
      if (text === '') return;
    }
    this.#say(box, transformed(text, style.transform), style.spaces, node, blank);
  }

  #say(box, text, spaces, node, blank) {
    const { run } = this;
    const { entry } = box;
    run.add(text, spaces, node, entry, this.reading ? Infinity : kMaxText + 1);
    if (!blank) {
      if (!entry || entry.soft) {
        run.own = true;
        run.soft = box.soft;
      }
      if (entry) entry.seen = true;
    }
    if (entry && entry.text.length <= kMaxText) entry.text += text.slice(0, kMaxText + 1);
  }

  #gap(box) {
    if (box.entry) box.entry.text += ' ';
  }

  #element(parent, node) {
    const tag = localName(node), html = isHtml(node);
    if (!html && kSvgUndrawn.has(tag)) return;
    if (html && tag === 'area' && !this.reading) return this.#imageMapArea(parent, node);
    const box = enter(parent, node, tag, html);
    if (!box) {
      if (parent.entry) parent.entry.plain = false;
      return;
    }
    box.order = ++this.order;
    const entry = this.reading ? null : this.#classify(box, node, tag, html);
    if (entry) {
      this.entries.push(entry);
      if (entry.soft) box.soft = entry;
      box.entry = entry;
    }
    const isBlock = box.block === box;
    if (isBlock) {
      this.#flush();
      this.run.reset(box);
      this.#gap(parent);
    }
    this.#spaceAround(box, parent);
    const level = this.#push(box, entry, null);
    const doc = frameDocument(node, tag, html);
    if (doc) {
      if (isSeen(box)) this.#openDocument(doc, box);
      return;
    }
    if (html && tag === 'br') this.run.lineBreak();
    if (html && kLeaves.has(tag)) return this.#control(box, node, tag);
    if (box.empty) return;
    level.generates = html || tag === 'text';
    if (level.generates) this.#pseudo(box, '::before');
    const below = childrenOf(node, tag, html);
    level.next = below.next;
    level.list = below.list;
  }

  // Text of neighbours that are boxes of their own: cells are set apart by tabs,
  // inline boxes by a space if something sets them apart on the screen.
  #spaceAround(box, parent) {
    const { run } = this;
    const { style } = box;
    const display = style.display;
    if (display === 'table-cell') {
      if (run.text !== '') run.gap = run.gap.replace(/ /g, '') + '\t';
      this.#gap(box);
    } else if (display.startsWith('inline-')) {
      const sum = (...lengths) => lengths.reduce((all, length) => all + parseFloat(length), 0);
      const left = sum(style.marginLeft, style.paddingLeft, style.borderLeftWidth);
      const right = sum(style.marginRight, style.paddingRight, style.borderRightWidth);
      const narrow = 0.15 * parseFloat(style.fontSize);
      box.after = right > narrow;
      if (left > narrow) {
        run.gap ||= ' ';
        this.#gap(parent);
      }
    }
  }

  #leave(level) {
    const { box, entry, back } = level;
    if (back) {
      this.#flush();
      this.run.reset(back.block);
      return;
    }
    if (!box.style) return;
    if (level.generates) this.#pseudo(box, '::after');
    if (box.block === box) {
      this.#flush();
      this.run.reset(box.parent.block);
      this.#gap(box.parent);
    } else if (box.after) {
      this.run.gap ||= ' ';
      this.#gap(box.parent);
    }
    if (!entry) return;
    const { parent } = entry;
    if (parent) {
      if (entry.seen) parent.seen = true;
      parent.plain &&= entry.plain && entry.role !== 'textbox';
      if (parent.text.length <= kMaxText) parent.text += entry.text;
    }
  }

  // Asking for a pseudo-element takes Chromium as many steps as the element is deep,
  // so where depth is an attack, not all are asked for.
  #pseudo(box, which) {
    if (!box.visible || (this.pseudoWork -= this.stack.length) < 0) return;
    const style = getComputedStyle(box.node, which);
    const text = generatedText(style);
    if (text === '') return;
    if (!isGeneratedSeen(style) || (!box.boxless && !shows(rectOf(box), box.own))) {
      if (box.entry) box.entry.plain = false;
      return;
    }
    const apart = !isInline(style.display);
    if (apart) this.run.gap ||= ' ';
    const shown = transformed(text, style.textTransform);
    this.#say(box, shown, style.whiteSpaceCollapse, box.node, false);
    if (apart) this.run.gap ||= ' ';
  }

  // Ends the run: reading keeps it as a block, a snapshot as the text of its block
  // element if some of it belongs to no element that is reported.
  #flush() {
    const { run } = this;
    if (run.text === '') return;
    const text = run.result();
    if (text === '') return;
    if (this.reading) {
      this.blocks.push({ node: run.first, text, frame: run.box.frame.index });
    } else if (run.own) {
      const { box } = run;
      const owner = box.textEntry;
      if (owner) {
        if (owner.label.length <= kMaxText) owner.label += '\n' + text;
      } else {
        const tag = localName(box.node), html = isHtml(box.node);
        const entry = new Entry(box, tag, html, roleOf(box.node, tag, html), box.order);
        entry.label = text;
        entry.seen = true;
        entry.softParent = run.soft;
        box.textEntry = entry;
        this.entries.push(entry);
      }
    } else if (run.pieces > 1 && !run.box.entry && this.joinedSize < 1000000) {
      this.joined.push(text.toWellFormed());
      this.joinedSize += text.length;
    }
    run.text = '';
    run.gap = '';
    run.own = false;
    run.first = null;
    run.pieces = 0;
  }

  // What a control shows as text: a value, a choice, a placeholder.
  #control(box, node, tag) {
    const seen = isSeen(box);
    if (!seen) return;
    const { entry } = box;
    if (entry && (kReplaced.has(tag) || node === entry.box.node)) entry.seen = true;
    let text = '', spaces = 'collapse';
    if (tag === 'input') {
      const type = inputType(node);
      if (isButtonType(type)) {
        text = type === 'image' ? '' : kValues.input(node) || kButtonLabels[type] || '';
      } else if (kTextTypes.has(type) || /^(date|month|week|time)/.test(type)) {
        text = kValues.input(node);
        if (text === '') text = kTextTypes.has(type) ? attribute(node, 'placeholder') ?? '' : '';
        else if (credentialOf(node, tag)) text = '';
      }
    } else if (tag === 'textarea') {
      text = kValues.textarea(node);
      if (text === '') text = attribute(node, 'placeholder') ?? '';
      else if (credentialOf(node, tag)) text = '';
      spaces = 'preserve';
    } else if (tag === 'select') {
      if (isListbox(node)) {
        text = optionLabels(node, () => true).join('\n');
        spaces = 'preserve';
      } else if (!credentialOf(node, tag)) {
        text = selectedLabels(node).join(', ');
      }
    }
    if (text === '' || !textStyleOf(box).drawn) return;
    if (this.reading) this.#say(box, text, spaces, node, false);
    else this.#sayControl(box, text);
  }

  // In a snapshot a control tells its text itself; its surroundings get a space.
  #sayControl(box, text) {
    this.run.gap ||= ' ';
    const { entry } = box;
    if (entry) {
      entry.seen = true;
      entry.plain = false;
      if (entry.text.length <= kMaxText) entry.text += text.slice(0, kMaxText + 1);
    }
  }

  // The entry of an element that is to be reported for its own sake.
  #classify(box, node, tag, html) {
    const { parent } = box;
    const around = parent.entry;
    const attributes = hasAttributes(node);
    if (around && !around.soft && attributes && (hasAttribute(node, 'aria-label') ||
        hasAttribute(node, 'aria-labelledby') || hasAttribute(node, 'aria-hidden'))) {
      around.plain = false;
    }
    if (kReplaced.has(tag)) {
      if (around) {
        around.plain = false;
        if (!kLeaves.has(tag) && isSeen(box)) around.seen = true;
      }
    }
    const role = attributes || html ? roleOf(node, tag, html) : 'generic';
    const entry = new Entry(box, tag, html, role, box.order);
    const reported = () => {
      entry.seen = isSeen(box);
      return entry;
    };
    if (html) {
      if (tag === 'input' && inputType(node) === 'hidden') return null;
      if (isFrame(tag, html)) {
        entry.unread = !kDocuments[tag](node);
        return reported();
      }
      if (kControls.has(tag)) {
        if (tag === 'summary' && summaryOf(parentNode(node) ?? node) !== node) return null;
        if (isSeen(box)) this.controls.add(node);
        return reported();
      }
      if (tag === 'label') {
        entry.control = labelControl(node);
        if (entry.control) return reported();
      }
      if ((tag === 'video' || tag === 'audio') && hasAttribute(node, 'controls')) {
        entry.role = tag;
        return reported();
      }
    }
    if (role === 'link' || role === 'heading') return reported();
    if (attributes) {
      if (kActingRoles.has(role)) return reported();
      if (!box.editing && isEditingHost(node)) {
        box.editing = true;
        if (role === 'generic') entry.role = 'textbox';
        return reported();
      }
      if (role === 'img') {
        // A picture says something where it stands alone and has a name.
        const alone = !around || around.soft;
        return alone && isSeen(box) && nameOf(node, tag, html, role, null) ? reported() : null;
      }
      const tabindex = attribute(node, 'tabindex');
      const focusable = tabindex !== null && Number(tabindex) >= 0;
      entry.clickable = focusable || hasAttribute(node, 'onclick');
    }
    if (html && box.pointer && !parent.pointer && (!around || around.soft) && tag !== 'label' &&
        node !== box.frame.root && node !== box.frame.body) {
      entry.clickable = true;
    }
    if (!entry.clickable || (box.editing && role === 'generic')) return null;
    entry.soft = true;
    return reported();
  }

  // The areas of an image map have no box; they lie on the image that uses the map.
  #imageMapArea(parent, node) {
    if (!hasAttribute(node, 'href')) return;
    const image = imageOfArea(node);
    const imageBox = image && boxOf(image, false);
    if (!imageBox || !isSeen(imageBox)) return;
    const box = new Box(parent, node, imageBox.style, parent.frame);
    box.own = box.flow = imageBox.own;
    box.rect = rectOf(imageBox);
    box.order = ++this.order;
    const entry = new Entry(box, 'area', true, 'link', box.order);
    entry.seen = true;
    this.entries.push(entry);
  }
}

const imageOfArea = (node) => {
  const map = parentNode(node);
  if (!map || nodeType(map) !== kElement) return null;
  const name = attribute(map, 'name') ?? attribute(map, 'id');
  const root = documentElement(ownerDocument(node));
  if (!name || !root) return null;
  const images = queryAll(root, 'img[usemap]');
  for (let i = 0; i < images.length && i < 1000; ++i) {
    if (attribute(images[i], 'usemap') === '#' + name) return images[i];
  }
  return null;
};
)js";

// The snapshot and the reading.
constexpr std::string_view kReadings = R"js(
const ariaState = (result, node, key, name) => {
  const value = attribute(node, name);
  if (value === 'true' || value === 'false') result[key] = value === 'true';
  else if (value === 'mixed') result[key] = 'mixed';
};

const checkedOf = (node, tag, html) => {
  const type = inputTypeOf(node, tag, html);
  if (type === 'checkbox' && inputIndeterminate(node)) return 'mixed';
  return type === 'checkbox' || type === 'radio' ? inputChecked(node) : undefined;
};

const optionsOf = (node, result) => {
  const options = selectOptions(node);
  const list = [];
  for (let i = 0; i < options.length && list.length < kMaxOptions; ++i) {
    const option = options[i];
    const name = cutTo(collapse(optionLabel(option)), kMaxName);
    const told = { n: elementNumbers.of(option), name };
    if (optionSelected(option)) told.selected = true;
    if (matches(option, ':disabled')) told.disabled = true;
    list.push(told);
  }
  if (options.length > list.length) result.cut = true;
  return list;
};

const kStates = [
  ['expanded', 'aria-expanded'], ['pressed', 'aria-pressed'], ['selected', 'aria-selected'],
  ['checked', 'aria-checked'],
];

// One entry as it is reported.
const tell = (entry) => {
  const { box, tag, html, control } = entry;
  const { node } = box;
  const result = { n: elementNumbers.of(node), role: entry.role, name: '' };
  if (box.frame.index) result.frame = box.frame.index;
  if (entry.label !== null) {
    result.name = hasAttributes(node) ? nameOf(node, tag, html, '', null) : '';
    if (entry.label.length > kMaxText) result.cut = true;
    const text = cutTo(entry.label, kMaxText);
    if (text !== result.name) result.text = text;
    return result;
  }
  const acting = control ?? node;
  const actingTag = control ? localName(control) : tag;
  if (control) result.role = roleOf(control, actingTag, true);
  const kind = control ? kindOf(control, actingTag, true) : kindOf(node, tag, html);
  const text = collapse(entry.text);
  // What stands in a text field is its value, and that of a choice is among its options.
  const holds = kTyped.has(kind) || kind === 'choice' || kind === 'picker';
  result.name = control ? nameOf(control, actingTag, true, result.role, null)
      : nameOf(node, tag, html, entry.role, entry.plain && !shadowOf(node) ? text : null);
  if (!holds) {
    if (!result.name && (entry.soft || entry.role === 'generic')) {
      result.name = cutTo(text, kMaxName);
    }
    if (text.length > kMaxText) result.cut = true;
    const told = cutTo(text, kMaxText);
    if (told && told.slice(0, kMaxName) !== result.name) result.text = told;
  }
  const href = hrefOf(node, tag, html);
  if (href !== null) {
    shownHrefs.set(node, href);
    result.href = cutTo(href, kMaxAddress);
    if (href.length > kMaxAddress) result.cut = true;
  }
  const type = control ? inputType(control) : inputTypeOf(node, tag, html);
  if (type && type !== 'text' && type !== 'submit' && type !== 'button') result.type = type;
  if (holds) {
    if (credentialOf(node, tag)) {
      result.credential = true;
    } else {
      const value = heldValue(node, tag, kind);
      if (value) result.value = cutTo(value, kMaxText);
      if (value && value.length > kMaxText) result.cut = true;
      if (kind === 'choice') result.options = optionsOf(node, result);
    }
  } else if (entry.role === 'slider' && type === 'range') {
    result.value = cutTo(kValues.input(node), kMaxName);
  }
  if (hasAttributes(node)) {
    for (const [key, name] of kStates) ariaState(result, node, key, name);
  }
  const checked = checkedOf(acting, actingTag, control ? true : html);
  if (checked !== undefined) result.checked = checked;
  if (html && tag === 'summary') {
    const details = parentNode(node);
    if (details && nodeType(details) === kElement && localName(details) === 'details') {
      result.expanded = detailsOpen(details);
    }
  }
  if (entry.role === 'heading') {
    const native = /^h([1-6])$/.exec(tag)?.[1] ?? 2;
    result.level = Number(attribute(node, 'aria-level')) || Number(native);
  }
  if (isDisabled(acting)) result.disabled = true;
  if (isReadOnly(acting, actingTag, kind)) result.readonly = true;
  if (hasAttribute(acting, 'required') || attribute(acting, 'aria-required') === 'true') {
    result.required = true;
  }
  if (kind === 'choice' && selectMultiple(node)) result.multiple = true;
  if (entry.clickable) result.clickable = true;
  if (entry.unread) result.unread = true;
  return result;
};

const isToggle = (control) => localName(control) === 'input' &&
    /^(checkbox|radio|file)$/.test(inputType(control));

// Entries that stay: what is seen, labels only where their control is not, text in
// a clickable box only where the box does not say it itself.
const stays = (walk, entry) => {
  if (!entry.seen) return false;
  if (entry.control) return isToggle(entry.control) && !walk.controls.has(entry.control);
  if (entry.label !== null && entry.softParent) return entry.softParent.text.length > kSoftText;
  if (entry.soft && entry.text.length > kSoftText) entry.text = '';
  return true;
};

const headerOf = (walk) => {
  const frames = walk.frames.map(({ doc, view }) =>
    ({ origin: view.origin, url: cutTo(urlOf(doc), kMaxAddress) }));
  return {
    url: frames[0].url,
    title: cutTo(collapse(titleOf(document)), kMaxName),
    origin: frames[0].origin,
    frames,
  };
};

const withList = (header, key, items) => {
  const text = toJson(header);
  return text.slice(0, -1) + ',"' + key + '":[' + items.join(',') + ']}';
};

const snapshot = (options = {}) => {
  startCall(numberOr(options.maxMs, 5000));
  const cursor = numberOr(options.cursor, 0);
  const maxElements = Math.max(1, numberOr(options.maxElements, 5000));
  const maxBytes = numberOr(options.maxBytes, 4 << 20);
  const walk = new Walk(false, numberOr(options.maxNodes, 200000));
  walk.go();
  // Long texts of clickable boxes are cleared only after the texts in them were judged.
  const texts = walk.entries.filter((entry) => entry.label !== null && stays(walk, entry));
  const others = walk.entries.filter((entry) => entry.label === null && stays(walk, entry));
  const entries = texts.concat(others).sort((a, b) => a.order - b.order);
  const items = [];
  let bytes = 0, at = cursor;
  for (; at < entries.length && items.length < maxElements; ++at) {
    const item = toJson(tell(entries[at]));
    bytes += bytesOf(item) + 1;
    if (items.length && (bytes > maxBytes || isLate())) break;
    items.push(item);
  }
  const header = headerOf(walk);
  header.joined = walk.joined;
  header.next = at < entries.length ? at : null;
  header.truncated = walk.truncated || isLate();
  return withList(header, 'elements', items);
};

const isLowSurrogate = (unit) => unit >= 0xdc00 && unit <= 0xdfff;

const readText = (options = {}) => {
  startCall(numberOr(options.maxMs, 5000));
  const cursor = Array.isArray(options.cursor) ? options.cursor : [];
  const maxChars = Math.max(2, numberOr(options.maxChars, 200000));
  const walk = new Walk(true, numberOr(options.maxNodes, 200000));
  walk.go();
  const items = [], joined = [];
  let left = maxChars, next = null;
  let at = numberOr(cursor[0], 0), offset = numberOr(cursor[1], 0);
  for (; at < walk.blocks.length && !next; ++at, offset = 0) {
    const { node, text, frame } = walk.blocks[at];
    if (left <= 0) {
      next = [at, 0];
      break;
    }
    let end = Math.min(text.length, offset + left);
    if (end < text.length && isLowSurrogate(text.charCodeAt(end))) --end;
    if (end < text.length) next = [at, end];
    // A block in pieces is recorded whole, or a page could cut an address in two.
    if (offset > 0 || end < text.length) joined.push(text.toWellFormed());
    left -= end - offset;
    const block = { n: blockNumbers.of(node), text: text.slice(offset, end).toWellFormed() };
    if (frame) block.frame = frame;
    items.push(toJson(block));
  }
  const header = headerOf(walk);
  header.joined = joined;
  header.next = next;
  header.truncated = walk.truncated || isLate();
  return withList(header, 'blocks', items);
};
)js";

// Acting on one element.
constexpr std::string_view kActs = R"js(
const kGone = '{"connected":false}';

// Where the form of a text field sends it; null if it has none.
const formActionOf = (node, tag, html) => {
  const form = !html ? null : tag === 'input' ? formOfInput(node)
      : tag === 'textarea' ? formOfTextArea(node) : null;
  return form && actionOfForm(form);
};

const state = (n) => {
  const node = liveNode(n);
  if (!node) return kGone;
  startCall();
  const tag = localName(node), html = isHtml(node);
  const box = boxOf(node, false);
  const kind = kindOf(node, tag, html);
  const reason = html ? credentialOf(node, tag) : '';
  const rect = box ? rectOf(box) : kNowhere;
  const at = box ? toTop(box.frame, rect.l, rect.t) : { x: 0, y: 0 };
  const to = box ? toTop(box.frame, rect.r, rect.b) : at;
  const href = hrefOf(node, tag, html);
  const value = reason ? null : heldValue(node, tag, kind);
  const disabled = isDisabled(node);
  const role = kind === 'rich' ? 'textbox' : roleOf(node, tag, html);
  return toJson({
    connected: true,
    visible: box !== null && isSeen(box),
    disabled,
    editable: kTyped.has(kind) && !disabled && !isReadOnly(node, tag, kind),
    kind,
    credential: reason !== '',
    credentialReason: reason,
    multiline: kind === 'multiline' || kind === 'rich',
    inputType: inputTypeOf(node, tag, html),
    tag: cutTo(tag, 100),
    rect: { x: at.x, y: at.y, width: to.x - at.x, height: to.y - at.y },
    role,
    label: nameOf(node, tag, html, role, null),
    formAction: cutTo(formActionOf(node, tag, html) ?? '', 4 * kMaxAddress),
    href: href === null ? null : cutTo(href, 4 * kMaxAddress),
    target: html && has(kTargets, tag) ? cutTo(kTargets[tag](node), 100) : null,
    inFrameOrigin: viewOf(ownerDocument(node)).origin,
    value: value === null ? null : cutTo(value, kMaxHeld),
  });
};

const liveHref = (n) => {
  const node = liveNode(n);
  if (!node) return kGone;
  const href = hrefOf(node, localName(node), isHtml(node));
  const shown = shownHrefs.get(node);
  return toJson({ href: href?.toWellFormed() ?? null, shown: shown?.toWellFormed() ?? null });
};

const deepElementAt = (doc, x, y) => {
  let hit = elementAtInDocument(doc, x, y);
  for (let root = hit && shadowOf(hit); root; root = shadowOf(hit)) {
    const inner = elementAtInShadow(root, x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
};

// Is `hit` the node, or in it, or in a label that passes the click on to it?
const isHitOn = (node, hit) => {
  for (let at = hit; at && nodeType(at) === kElement; at = flatParent(at)) {
    if (at === node) return true;
    if (localName(at) === 'label' && isHtml(at) && labelControl(at) === node) return true;
  }
  return false;
};

const describe = (node) => {
  if (!node || nodeType(node) !== kElement) return { role: '', name: '', tag: '' };
  const tag = localName(node), html = isHtml(node);
  const role = roleOf(node, tag, html);
  let name = nameOf(node, tag, html, role, null);
  if (!name) name = cutTo(contentName(node, null, false), 80);
  return { role, name, tag: cutTo(tag, 100) };
};

// The first part of the element that is on the screen, in the middle of it, and
// what stands in the way there. null if no part is on the screen.
const aim = (node) => {
  const tag = localName(node);
  const shape = tag === 'area' && isHtml(node) ? imageOfArea(node) : node;
  const box = shape && boxOf(shape, true);
  if (!box || !box.visible || box.boxless) return null;
  const rects = shape === node ? Array.from(clientRects(node), areaOf)
      : [areaRect(node, rectOf(box))];
  let first = null;
  for (const rect of rects.slice(0, 50)) {
    const part = meet(rect, box.own);
    if (!shows(rect, part)) continue;
    const x = (part.l + part.r) / 2, y = (part.t + part.b) / 2;
    const at = toTop(box.frame, x, y);
    const blocker = blockerAt(node, box, x, y);
    const found = { x: at.x, y: at.y, blocker, whole: within(rect, part) };
    if (!found.blocker) return found;
    first ??= found;
  }
  return first;
};

// null if a click there reaches the node, through all frames around it; else what
// it meets (a list of one, as that can be nothing).
const blockerAt = (node, box, x, y) => {
  const hit = deepElementAt(box.frame.doc, x, y);
  if (!isHitOn(node, hit)) return [hit];
  for (let { frame } = box; frame.owner; frame = frame.owner.frame) {
    x = frame.x + x * frame.sx;
    y = frame.y + y * frame.sy;
    const outer = deepElementAt(frame.owner.frame.doc, x, y);
    if (outer !== frame.owner.node) return [outer];
  }
  return null;
};

// Where an area of an image map lies; the default one is the whole image.
const areaRect = (node, image) => {
  const at = (attribute(node, 'coords') ?? '').split(/[\s,]+/).map(Number);
  const shape = (attribute(node, 'shape') ?? 'rect').toLowerCase();
  if (at.some(Number.isNaN) || at.length < 3 || shape === 'default') return image;
  const round = shape.startsWith('circ');
  const xs = round ? [at[0] - at[2], at[0] + at[2]] : at.filter((_, i) => i % 2 === 0);
  const ys = round ? [at[1] - at[2], at[1] + at[2]] : at.filter((_, i) => i % 2 === 1);
  return area(image.l + Math.min(...xs), image.t + Math.min(...ys),
      image.l + Math.max(...xs), image.t + Math.max(...ys));
};

// Scrolls only if it has to: scrolling wakes the page's own handlers.
const scrollAndPoint = (n) => {
  const node = liveNode(n);
  if (!node) return kGone;
  startCall();
  let found = aim(node);
  if (!found || found.blocker || !found.whole) {
    const shape = localName(node) === 'area' && isHtml(node) ? imageOfArea(node) ?? node : node;
    scrollIntoView(shape, { block: 'center', inline: 'center', behavior: 'instant' });
    found = aim(node);
  }
  if (!found) return '{"visible":false}';
  const covered = found.blocker ? describe(found.blocker[0]) : null;
  return toJson({ visible: true, x: found.x, y: found.y, covered });
};

const hits = (n, hit) => {
  const node = liveNode(n);
  if (!node) return kGone;
  startCall();
  const element = hit && nodeType(hit) === kText ? flatParent(hit) : hit;
  const found = isHitOn(node, element);
  return toJson({ hits: found, by: found ? null : describe(element) });
};

// Is the node what the next key would reach: at each level, from its own tree up
// to the top document, the active element must be the one that leads to it?
const holdsFocus = (node) => {
  if (!hasFocus(ownerDocument(node))) return false;
  for (let at = node; at;) {
    const root = rootOf(at);
    if (nodeType(root) === kFragment) {
      if (activeInShadow(root) !== at) return false;
      at = hostOf(root);
    } else {
      if (activeInDocument(root) !== at) return false;
      at = frameElementOf(at);
    }
  }
  return !shadowOf(node) || activeInShadow(shadowOf(node)) === null;
};

const selectionOf = (node, tag, kind) => {
  if (kind !== 'text' && kind !== 'multiline') return null;
  const from = kSelectionStart[tag](node);
  return from === null ? null : [from, kSelectionEnd[tag](node)];
};

const focusCheck = (n) => {
  const node = liveNode(n);
  if (!node) return kGone;
  startCall();
  const tag = localName(node), html = isHtml(node);
  const kind = kindOf(node, tag, html);
  const credential = html && credentialOf(node, tag) !== '';
  const value = credential ? null : heldValue(node, tag, kind);
  return toJson({
    focused: holdsFocus(node),
    credential,
    value: value === null ? null : cutTo(value, kMaxHeld),
    selection: html ? selectionOf(node, tag, kind) : null,
  });
};

const selectAll = (n) => {
  const node = liveNode(n);
  if (!node) return kGone;
  const tag = localName(node), html = isHtml(node);
  const kind = kindOf(node, tag, html);
  if (kind === 'text') selectInput(node);
  else if (kind === 'multiline') selectTextarea(node);
  else if (kind === 'rich') getSelection(ownerDocument(node)).selectAllChildren(node);
  return toJson({ selected: kTyped.has(kind) });
};

const credential = (n) => {
  const node = liveNode(n);
  if (!node) return kGone;
  startCall();
  const reason = isHtml(node) ? credentialOf(node, localName(node)) : '';
  return toJson({ credential: reason !== '', reason });
};

return {
  snapshot, readText, state, liveHref, scrollAndPoint, hits, focusCheck, selectAll, credential,
  node: liveNode,
  numberOf: (node) => elementNumbers.of(node),
  adoptRoot: (root) => { closedRoots.set(hostOf(root), root); },
  barrier: () => new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0));
    setTimeout(resolve, 60);
  }),
};
})())js";

// Sections, as no literal may be longer than 65,536 bytes.
std::string join_sections() {
  std::string script;
  for (std::string_view section : {kTools, kNumbers, kFlatTree, kBoxes, kText, kNames, kCredentials,
                                   kForms, kWalk, kReadings, kActs}) {
    script += section;
  }
  return script;
}

}  // namespace

std::string_view reader_script() {
  static const std::string script = join_sections();
  return script;
}

}  // namespace agentlock::perception
