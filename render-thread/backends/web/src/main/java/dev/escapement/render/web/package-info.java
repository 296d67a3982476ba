/**
 * A live page: a browser shows a running world, its past and its metrics, and steers it.
 *
 * <p>Start reading at {@link dev.escapement.render.web.LivePage}.
 */
@NullMarked
package dev.escapement.render.web;

import org.jspecify.annotations.NullMarked;
