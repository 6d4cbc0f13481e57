/// Runs audits: opens a source, walks all of it and gives the report. A command line prints the
/// report; other callers use it as proof.
@NullMarked
package io.keyward.storage.run;

import org.jspecify.annotations.NullMarked;
