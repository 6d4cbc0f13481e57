/// The loop around the turn: a registry of sites, a keyed queue, and the ports through which a site
/// is observed and changed.
@NullMarked
package io.keyward.engine;

import org.jspecify.annotations.NullMarked;
