/**
 * What renderers draw, from the state that they are given. The same classes draw on a virtual clock and on real threads.
 *
 * <p>Used by the thread that draws; what physics and renderer share says so. Start reading at
 * {@link dev.escapement.bench.compare.picture.ThreadPattern}.
 */
@NullMarked
package dev.escapement.bench.compare.picture;

import org.jspecify.annotations.NullMarked;
