/**
 * Rendering threads: they choose the simulated time to show, interpolate, and pass the frame to a renderer.
 *
 * <p>Start reading at {@link dev.escapement.render.FrameView}.
 */
module dev.escapement.render {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.state;
    requires transitive org.joml;

    exports dev.escapement.render;
    exports dev.escapement.render.clock;
    exports dev.escapement.render.interpolation;
}
