package dev.escapement.render.lwjgl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.joml.Matrix4fc;
import org.lwjgl.opengl.GL33C;

/**
 * A linked pair of shaders from the resource files {@code NAME.vert} and {@code NAME.frag}.
 *
 * <p>The context's thread only. Set uniforms when something changes, not in every frame, because they are looked up by name.
 */
final class ShaderProgram implements AutoCloseable {

    private static final String VERSION = "#version 330 core\n";

    private final int program;
    private final float[] matrix = new float[16];

    private ShaderProgram(int program) {
        this.program = program;
    }

    /**
     * Compiles and links the shaders.
     *
     * @param name the name of both files, without the extension
     * @throws NoOpenGlException if the driver refuses them
     */
    static ShaderProgram of(String name) {
        int program = GL33C.glCreateProgram();
        int vertex = compile(GL33C.GL_VERTEX_SHADER, name + ".vert");
        int fragment = compile(GL33C.GL_FRAGMENT_SHADER, name + ".frag");
        GL33C.glAttachShader(program, vertex);
        GL33C.glAttachShader(program, fragment);
        GL33C.glLinkProgram(program);
        GL33C.glDeleteShader(vertex);
        GL33C.glDeleteShader(fragment);
        if (GL33C.glGetProgrami(program, GL33C.GL_LINK_STATUS) == GL33C.GL_FALSE) {
            throw new NoOpenGlException("the OpenGL driver cannot link the shaders " + name + ": "
                    + Glfw.oneLine(GL33C.glGetProgramInfoLog(program)));
        }
        return new ShaderProgram(program);
    }

    private static int compile(int stage, String file) {
        int shader = GL33C.glCreateShader(stage);
        GL33C.glShaderSource(shader, VERSION + read(file));
        GL33C.glCompileShader(shader);
        if (GL33C.glGetShaderi(shader, GL33C.GL_COMPILE_STATUS) == GL33C.GL_FALSE) {
            throw new NoOpenGlException(
                    "the OpenGL driver cannot compile " + file + ": " + Glfw.oneLine(GL33C.glGetShaderInfoLog(shader)));
        }
        return shader;
    }

    private static String read(String resource) {
        try (InputStream in = ShaderProgram.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the shader " + resource, e);
        }
    }

    ShaderProgram use() {
        GL33C.glUseProgram(program);
        return this;
    }

    private int location(String name) {
        return GL33C.glGetUniformLocation(program, name);
    }

    /** Sets a uniform of the program in use. */
    void set(String name, float value) {
        GL33C.glUniform1f(location(name), value);
    }

    /** Sets a uniform of the program in use. */
    void set(String name, Matrix4fc value) {
        GL33C.glUniformMatrix4fv(location(name), false, value.get(matrix));
    }

    @Override
    public void close() {
        GL33C.glDeleteProgram(program);
    }
}
