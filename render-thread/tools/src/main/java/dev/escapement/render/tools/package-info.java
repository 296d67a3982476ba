/**
 * Tools for programs that show a world, beside their view: {@link dev.escapement.render.tools.History},
 * {@link dev.escapement.render.tools.RemoteView}, {@link dev.escapement.render.tools.KnownShapes},
 * {@link dev.escapement.render.tools.InstanceBuffer}; and how even its picture is: {@link dev.escapement.render.tools.AnimationError},
 * {@link dev.escapement.render.tools.Unevenness}.
 */
@NullMarked
package dev.escapement.render.tools;

import org.jspecify.annotations.NullMarked;
