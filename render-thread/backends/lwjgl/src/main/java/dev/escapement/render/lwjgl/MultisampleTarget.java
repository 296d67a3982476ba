package dev.escapement.render.lwjgl;

import org.lwjgl.opengl.GL33C;

/**
 * A framebuffer with several samples a pixel, for smooth edges also with drivers whose windows without a display have one, and a plain one
 * to read the picture from.
 *
 * <p>The context's thread only.
 */
final class MultisampleTarget implements AutoCloseable {

    private static final int SAMPLES = 4;

    private final int width;
    private final int height;
    private final int framebuffer = GL33C.glGenFramebuffers();
    private final int colour = GL33C.glGenRenderbuffers();
    private final int depth = GL33C.glGenRenderbuffers();
    private final int plainFramebuffer = GL33C.glGenFramebuffers();
    private final int plainColour = GL33C.glGenRenderbuffers();

    MultisampleTarget(int width, int height) {
        this.width = width;
        this.height = height;
        int samples = Math.min(SAMPLES, GL33C.glGetInteger(GL33C.GL_MAX_SAMPLES));
        GL33C.glBindFramebuffer(GL33C.GL_FRAMEBUFFER, framebuffer);
        attach(colour, samples, GL33C.GL_RGBA8, GL33C.GL_COLOR_ATTACHMENT0);
        attach(depth, samples, GL33C.GL_DEPTH_COMPONENT24, GL33C.GL_DEPTH_ATTACHMENT);
        requireComplete();
        GL33C.glBindFramebuffer(GL33C.GL_FRAMEBUFFER, plainFramebuffer);
        attach(plainColour, 0, GL33C.GL_RGBA8, GL33C.GL_COLOR_ATTACHMENT0);
        requireComplete();
    }

    private void attach(int renderbuffer, int samples, int format, int attachment) {
        GL33C.glBindRenderbuffer(GL33C.GL_RENDERBUFFER, renderbuffer);
        GL33C.glRenderbufferStorageMultisample(GL33C.GL_RENDERBUFFER, samples, format, width, height);
        GL33C.glFramebufferRenderbuffer(GL33C.GL_FRAMEBUFFER, attachment, GL33C.GL_RENDERBUFFER, renderbuffer);
    }

    private void requireComplete() {
        int status = GL33C.glCheckFramebufferStatus(GL33C.GL_FRAMEBUFFER);
        if (status != GL33C.GL_FRAMEBUFFER_COMPLETE) {
            throw new NoOpenGlException("the OpenGL driver cannot draw a picture of " + width + " x " + height
                    + " pixels (framebuffer status 0x" + Integer.toHexString(status) + "); try a smaller one");
        }
    }

    /** Lets all that is drawn from now on go here. */
    void bind() {
        GL33C.glBindFramebuffer(GL33C.GL_FRAMEBUFFER, framebuffer);
    }

    /** Averages the samples and reads the pixels, from the bottom row up, each 0xAARRGGBB. */
    void read(int[] pixels) {
        GL33C.glBindFramebuffer(GL33C.GL_READ_FRAMEBUFFER, framebuffer);
        GL33C.glBindFramebuffer(GL33C.GL_DRAW_FRAMEBUFFER, plainFramebuffer);
        GL33C.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL33C.GL_COLOR_BUFFER_BIT, GL33C.GL_NEAREST);
        GL33C.glBindFramebuffer(GL33C.GL_READ_FRAMEBUFFER, plainFramebuffer);
        GL33C.glReadPixels(0, 0, width, height, GL33C.GL_BGRA, GL33C.GL_UNSIGNED_INT_8_8_8_8_REV, pixels);
    }

    @Override
    public void close() {
        GL33C.glDeleteFramebuffers(framebuffer);
        GL33C.glDeleteFramebuffers(plainFramebuffer);
        GL33C.glDeleteRenderbuffers(colour);
        GL33C.glDeleteRenderbuffers(depth);
        GL33C.glDeleteRenderbuffers(plainColour);
    }
}
