// What every page has: theme, presenter, keys, menus, the link.

import { startAppearance } from "./appearance.js";
import { startKeys, startMenus } from "./keys.js";
import { startShare } from "./share.js";

startAppearance();
startKeys();
startMenus();
startShare();
